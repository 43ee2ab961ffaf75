package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.process.Ports;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import dev.kvstore.testing.FreePorts;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Data planes that join a cluster of a control plane, are drained, and leave. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClusterMemberIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration START = Duration.ofSeconds(90);

    /** An instruction comes with a heartbeat, every 2 s. */
    private static final Duration HEARD = Duration.ofSeconds(30);

    /** A cluster promises 1 s; a busy machine takes longer. Without announcements it would be 10 s. */
    private static final Duration VISIBLE = Duration.ofSeconds(5);

    private static final Duration STOP = Duration.ofSeconds(30);

    private static final int BLOCKS = 30;
    private static final int BLOCK_BYTES = 4 << 20;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path folder;

    private final List<Process> processes = new ArrayList<>();
    private final KvUp up = KvUp.shared();
    private int first;
    private int second;

    @BeforeAll
    void start() throws Exception {
        first = join("joiner-a");
        second = join("joiner-b");
    }

    /** In good order: they leave the cluster that others share. */
    @AfterAll
    void stop() {
        processes.forEach(Process::destroy);
        for (Process process : processes) {
            process.onExit()
                    .completeOnTimeout(process, STOP.toSeconds(), TimeUnit.SECONDS)
                    .join();
            process.destroyForcibly();
        }
    }

    private int join(String name) throws Exception {
        return join(
                name, Map.of("KVSTORE_JOIN_TOKEN", Files.readString(up.data().resolve("join-token"))), List.of());
    }

    /** @param proof environment and flags that say which data plane it is */
    private int join(String name, Map<String, String> proof, List<String> flags) throws Exception {
        int port = FreePorts.row(1, 0, 1_000);
        Path err = folder.resolve(name + ".err");
        Map<String, String> environment = new HashMap<>(FastBeats.environment());
        environment.putAll(proof);
        environment.putAll(Map.of(
                "KVSTORE_MEMORY_TIER_SIZE", "64M",
                "KVSTORE_TRANSFER_MEMORY", "130M",
                "KVSTORE_INBOUND_MEMORY", "65M",
                "KVSTORE_DRAIN_GRACE_PERIOD", "1s"));
        List<String> arguments = new ArrayList<>(List.of("node", "--control-plane", up.controlPlane()));
        arguments.addAll(List.of("--cluster", "local", "--node-name", name));
        arguments.addAll(List.of("--host", "127.0.0.1", "--port", "" + port));
        arguments.addAll(flags);
        Process process = Kv.start(folder, environment, arguments, folder.resolve(name + ".out"), err);
        processes.add(process);
        await().atMost(START).until(() -> !process.isAlive() || state(name).equals("serving"));
        assertThat(process.isAlive()).as(Files.readString(err)).isTrue();
        return port;
    }

    private String state(String process) throws Exception {
        HttpResponse<String> answer =
                get(URI.create(up.restUrl() + "/v1/clusters/local/processes/" + process), "Bearer " + up.adminToken());
        return answer.statusCode() == 404
                ? "none"
                : JSON.readTree(answer.body()).path("state").asText();
    }

    private static boolean isReady(int port) throws Exception {
        return get(URI.create("http://127.0.0.1:" + (port + 1_000) + "/q/health/ready"), "none")
                        .statusCode()
                == 200;
    }

    private static HttpResponse<String> get(URI uri, String authorization) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(uri)
                            .header("Authorization", authorization)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    private KvClient client(int port) {
        return KvClient.builder()
                .endpoints("127.0.0.1:" + port)
                .resource(up.resourceName())
                .apiKey(up.apiKey())
                .build();
    }

    private String admin(String... words) {
        Kv.KvResult result = up.admin(words);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result.out();
    }

    @Test
    void whatOneMemberAcknowledgedTheOtherFindsSoon() throws Exception {
        try (KvClient writer = client(first);
                KvClient reader = client(second)) {
            await().atMost(HEARD)
                    .until(() -> JSON.readTree(
                                    get(URI.create("http://127.0.0.1:" + (first + 1_000) + "/q/health/ready"), "none")
                                            .body())
                            .toString()
                            // The stack's own two, and the other that joined here.
                            .matches(".*\"peers\":([3-9]).*"));
            TestPrompt prompt = TestPrompt.unique(10);
            assertThat(reader.lookup(prompt.partition(), prompt.chain()).cachedBlocks())
                    .isZero();
            for (int i = 0; i < 10; i++) {
                writer.write(prompt.partition(), prompt.block(i, TestPrompt.bytes(1_000, i)));
                int stored = i + 1;
                await().atMost(VISIBLE)
                        .pollInterval(Duration.ofMillis(20))
                        .until(() -> reader.lookup(prompt.partition(), prompt.chain())
                                        .cachedBlocks()
                                == stored);
            }
        }
    }

    @Test
    void whatMembersReadAndWriteIsSeenByAnAdminAsHeat() throws Exception {
        TestPrompt prompt = TestPrompt.unique(10);
        try (KvClient client = client(first)) {
            for (int i = 0; i < 10; i++) {
                client.write(prompt.partition(), prompt.block(i, TestPrompt.bytes(1_000, i)));
            }
            try (BlockStream stream = client.read(prompt.chain().prefix(5))) {
                stream.forEach(result -> ((BlockResult.Found) result).block().close());
            }
        }
        String root = prompt.partition().root().hex();

        await().atMost(HEARD).untilAsserted(() -> {
            JsonNode heat = JSON.readTree(admin("heat", up.resourceName(), "--json"));
            JsonNode partition = heat.path("partitions")
                    .valueStream()
                    .filter(part -> part.path("root").asText().equals(root))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(heat.toString()));
            assertThat(partition.path("blocks").asInt()).isEqualTo(10);
            assertThat(partition.path("bytes").asInt()).isEqualTo(10_000);
        });
    }

    @Test
    void aMemberThatAnOperatorDrainsFinishesItsStreamsAndServesAgainLater() throws Exception {
        TestPrompt prompt = TestPrompt.unique(BLOCKS);
        try (KvClient client = client(first)) {
            for (int i = 0; i < BLOCKS; i++) {
                client.write(prompt.partition(), prompt.block(i, TestPrompt.bytes(BLOCK_BYTES, i)));
            }
            int found = 0;
            try (BlockStream stream = client.read(prompt.chain())) {
                Iterator<BlockResult> results = stream.iterator();
                found += take(results);
                admin(
                        "put",
                        "process",
                        "joiner-a",
                        "--cluster",
                        "local",
                        "address=127.0.0.1:" + first,
                        "draining=true");
                await().atMost(HEARD).until(() -> !isReady(first));
                assertThat(state("joiner-a")).isEqualTo("draining");
                while (results.hasNext()) {
                    found += take(results);
                }
            }
            assertThat(found).isEqualTo(BLOCKS);

            admin("put", "process", "joiner-a", "--cluster", "local", "address=127.0.0.1:" + first, "draining=false");
            await().atMost(HEARD).until(() -> isReady(first));
            assertThat(client.lookup(prompt.partition(), prompt.chain()).cachedBlocks())
                    .isEqualTo(BLOCKS);
        }
    }

    private static int take(Iterator<BlockResult> results) {
        if (results.next() instanceof BlockResult.Found(Block block)) {
            block.close();
            return 1;
        }
        return 0;
    }

    @Test
    void aMemberWhoseTokenIsReplacedInItsFileGoesOnWithTheNewOneWithoutARestart() throws Exception {
        try (AdminClient admin = up.adminClient()) {
            JsonNode old = newToken(admin);
            Path file = Files.writeString(
                    folder.resolve("joiner-d.token"), old.path("token").asText());
            int port = join(
                    "joiner-d",
                    Map.of("KVSTORE_TLS_RELOAD_INTERVAL", "1s"),
                    List.of("--join-token-file", file.toString()));

            Files.writeString(file, newToken(admin).path("token").asText());
            admin.send(RestRequest.delete(List.of(
                            "v1",
                            "clusters",
                            "local",
                            "join-tokens",
                            old.path("id").asText())))
                    .accepted();

            await().atMost(HEARD)
                    .until(() -> get(URI.create("http://127.0.0.1:" + (port + 1_000) + "/q/metrics"), "none")
                            .body()
                            .contains("kvstore_join_token_reloads_total 1.0"));
            // The answer to a heartbeat tells it to drain.
            admin("put", "process", "joiner-d", "--cluster", "local", "address=127.0.0.1:" + port, "draining=true");
            await().atMost(HEARD).until(() -> !isReady(port));
        }
    }

    private static JsonNode newToken(AdminClient admin) throws InterruptedException {
        return admin.send(RestRequest.post(
                        List.of("v1", "clusters", "local", "join-tokens"), JsonNodeFactory.instance.objectNode()))
                .accepted()
                .body();
    }

    @Test
    void aMemberThatIsToldToStopIsInNoRouteBeforeItsLeaseWouldHaveEnded() throws Exception {
        int port = join("joiner-c");
        Process process = processes.getLast();

        process.destroy();

        assertThat(process.waitFor(Duration.ofSeconds(20))).isTrue();
        assertThat(state("joiner-c")).isNotEqualTo("serving");
        assertThat(Ports.isFree(port)).isTrue();
        assertThat(Files.readString(folder.resolve("joiner-c.err"))).doesNotContain("Exception");
    }
}
