package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.client.Block;
import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.WriteResult;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.AdminException;
import dev.kvstore.launcher.rest.RestRequest;
import dev.kvstore.launcher.stack.LocalDatabase;
import dev.kvstore.launcher.stack.Metrics;
import dev.kvstore.testing.FreePorts;
import dev.kvstore.testing.TestAuthority;
import dev.kvstore.testing.TestAuthority.Issued;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A control plane and two data planes over TLS, which clients reach through HAProxy alone. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BalancerIT {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String ADMIN = "kva_an-admin-token-of-a-test";
    private static final String CLUSTER = "balanced";
    private static final String ACCOUNT = "balanced";
    private static final Duration START = Duration.ofSeconds(90);

    /** A block is visible to the other members after a second, to a busy machine's later. */
    private static final Duration VISIBLE = Duration.ofSeconds(30);

    private static final long STOP_SECONDS = 40;
    private static final int BLOCK_BYTES = 100_000;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path folder;

    private final List<Process> processes = new ArrayList<>();
    private final int controlPort = FreePorts.row(2);
    private final int port = FreePorts.row(2, 0, 1_000);
    private final int front = FreePorts.row(2);

    @SuppressWarnings("NullAway.Init")
    private TestAuthority authority;

    @SuppressWarnings("NullAway.Init")
    private Https https;

    @SuppressWarnings("NullAway.Init")
    private HaProxy balancer;

    @SuppressWarnings("NullAway.Init")
    private LocalDatabase database;

    private String apiKey = "";

    @BeforeAll
    void start() throws Exception {
        HaProxy.require();
        authority = new TestAuthority(folder, "authority");
        https = Https.trusting(authority.certificate());
        startControlPlane();
        balancer = HaProxy.start(
                folder,
                new HaProxy.Front(front, List.of(port, port + 1), List.of(port + 1_000, port + 1_001)),
                new HaProxy.Front(front + 1, List.of(controlPort + 1), List.of()));
        try (AdminClient admin =
                AdminClient.trusting(URI.create("https://127.0.0.1:" + controlPort), ADMIN, authority.certificate())) {
            // The gRPC port opens first.
            await().atMost(START)
                    .ignoreException(AdminException.class)
                    .until(() -> admin.send(RestRequest.get(List.of("v1", "regions")))
                                    .status()
                            == 200);
            String token = register(admin);
            for (int i = 0; i < 2; i++) {
                startNode(i, token);
            }
            await().atMost(START).until(() -> isReady(0) && isReady(1) && isAccountReady(admin));
            // It asks for their health each second, and gives no connection to a process that was not ready before.
            await().atMost(START).until(() -> balancer.serversInUse() == 2);
        }
    }

    @AfterAll
    void stop() throws Exception {
        // Data planes first, which take leave.
        for (Process process : processes.reversed()) {
            process.destroy();
        }
        for (Process process : processes.reversed()) {
            var _ = process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly();
        }
        if (database != null) {
            database.close();
        }
        if (balancer != null) {
            balancer.stop();
        }
    }

    private void startControlPlane() throws Exception {
        Issued own = authority.issue("control-plane");
        database = LocalDatabase.start(Home.current(), folder.resolve("control-plane"), new SecureRandom());
        Map<String, String> environment = new HashMap<>(Map.of(
                "KVSTORE_ADMIN_TOKEN",
                ADMIN,
                "KVSTORE_DB_USER",
                LocalDatabase.USER,
                "KVSTORE_DB_PASSWORD",
                database.password()));
        environment.put("KVSTORE_PROXY_PROTOCOL_FROM", HaProxy.ADDRESS);
        List<String> arguments = new ArrayList<>(List.of("control-plane", "--host", "127.0.0.1"));
        arguments.addAll(List.of("--http-port", "" + controlPort, "--port", "" + (controlPort + 1)));
        arguments.addAll(List.of("--jdbc-url", database.url(), "--storage-endpoints", "file:///*"));
        arguments.addAll(List.of("--tls-cert", "" + own.chain(), "--tls-key", "" + own.key()));
        Process process = start("control-plane", environment, arguments);
        Readiness grpc = Readiness.port(new InetSocketAddress(InetAddress.getLoopbackAddress(), controlPort + 1));
        await().atMost(START).until(() -> grpc.isReady() || !process.isAlive());
        assertThat(process.isAlive()).as(log("control-plane")).isTrue();
    }

    /** A region, a cluster behind the balancer, an account and its key. A join token of the cluster is returned. */
    private String register(AdminClient admin) throws InterruptedException {
        put(admin, JSON.objectNode(), "regions", "here");
        put(
                admin,
                JSON.objectNode()
                        .put("region", "here")
                        .put("state", "active")
                        .put("advertisedAddress", "localhost:" + front),
                "clusters",
                CLUSTER);
        put(admin, JSON.objectNode(), "tenants", "t");
        ObjectNode account = JSON.objectNode().put("tenant", "t");
        account.putArray("replicas")
                .addObject()
                .put("region", "here")
                .put("endpoint", folder.resolve("blocks").toUri().toString())
                .put("vouched", true);
        put(admin, account, "accounts", ACCOUNT);
        apiKey = post(admin, "tenants", "t", "keys").path("key").asText();
        return post(admin, "clusters", CLUSTER, "join-tokens").path("token").asText();
    }

    private static void put(AdminClient admin, ObjectNode body, String kind, String name) throws InterruptedException {
        var _ = admin.send(RestRequest.put(List.of("v1", kind, name), body)).accepted();
    }

    private static JsonNode post(AdminClient admin, String... path) throws InterruptedException {
        List<String> all = new ArrayList<>(List.of("v1"));
        all.addAll(List.of(path));
        return admin.send(RestRequest.post(all, JSON.objectNode())).accepted().body();
    }

    private static boolean isAccountReady(AdminClient admin) throws InterruptedException {
        return admin.send(RestRequest.get(List.of("v1", "accounts", ACCOUNT)))
                .body()
                .path("ready")
                .asBoolean();
    }

    private void startNode(int index, String token) throws IOException {
        Issued own = authority.issue("n" + index);
        Map<String, String> environment = new HashMap<>(FastBeats.environment());
        environment.putAll(Map.of(
                "KVSTORE_JOIN_TOKEN", token,
                "KVSTORE_PROXY_PROTOCOL_FROM", HaProxy.ADDRESS,
                "KVSTORE_MAX_CONNECTIONS", "16",
                "KVSTORE_PEER_CA", "" + authority.certificate(),
                "KVSTORE_MEMORY_TIER_SIZE", "64M",
                "KVSTORE_TRANSFER_MEMORY", "130M",
                "KVSTORE_INBOUND_MEMORY", "65M",
                "KVSTORE_DRAIN_GRACE_PERIOD", "3s"));
        List<String> arguments = new ArrayList<>(List.of("node", "--node-name", "n" + index, "--cluster", CLUSTER));
        arguments.addAll(List.of("--control-plane", "localhost:" + (controlPort + 1)));
        arguments.addAll(List.of("--control-plane-ca", "" + authority.certificate()));
        arguments.addAll(List.of("--tls-cert", "" + own.chain(), "--tls-key", "" + own.key()));
        arguments.addAll(List.of("--host", "127.0.0.1", "--port", "" + (port + index)));
        Process process = start("n" + index, environment, arguments);
        await().atMost(START).until(() -> !process.isAlive() || isReady(index));
        assertThat(process.isAlive()).as(log("n" + index)).isTrue();
    }

    private Process start(String name, Map<String, String> environment, List<String> arguments) throws IOException {
        Process process =
                Kv.start(folder, environment, arguments, folder.resolve(name + ".out"), folder.resolve(name + ".err"));
        processes.add(process);
        return process;
    }

    private static String log(String name) throws IOException {
        return Files.readString(folder.resolve(name + ".out")) + Files.readString(folder.resolve(name + ".err"));
    }

    private URI http(int index, String path) {
        return URI.create("https://localhost:" + (port + index + 1_000) + path);
    }

    /** Each process by itself, as a balancer's probe asks. */
    private boolean isReady(int index) throws InterruptedException {
        return https.status("GET", http(index, "/q/health/ready")) == 200;
    }

    private Metrics metrics(int index) throws Exception {
        return Metrics.parse(https.text(http(index, "/q/metrics")));
    }

    /** Connections that have shown a good key; one of them may be the other process's. */
    private double admitted(int index) throws Exception {
        Metrics metrics = metrics(index);
        return metrics.sum("kvstore_connections_open") - metrics.sum("kvstore_connections_unauthenticated");
    }

    /** One that knows the balancer's addresses alone, and would go to no other. */
    private KvClient client() {
        return KvClient.builder()
                .controlPlane("localhost:" + (front + 1))
                .region("here")
                .trust(authority.certificate())
                .routedHosts("localhost")
                .noRouteCache()
                // A busy machine may be slow, and a call made again would hide one that was not served.
                .serverStallTimeout(START)
                .resource(ACCOUNT)
                .apiKey(apiKey)
                .build();
    }

    @Test
    void everyCallIsServedByWhicheverProcessItLandsOn() throws Exception {
        try (KvClient client = client()) {
            for (int round = 0; round < 6; round++) {
                int seed = 100 * round;
                TestPrompt prompt = TestPrompt.unique(4);
                List<CompletableFuture<WriteResult>> written = new ArrayList<>();
                try (BlockWriter writer = client.writer(prompt.partition(), prompt.chain())) {
                    for (int i = 0; i < 3; i++) {
                        written.add(writer.write(prompt.block(i, TestPrompt.bytes(BLOCK_BYTES, seed + i))));
                    }
                    writer.finish();
                }
                assertThat(written)
                        .allSatisfy(
                                result -> assertThat(result.join().outcome()).isEqualTo(WriteResult.Outcome.STORED));
                byte[] last = TestPrompt.bytes(BLOCK_BYTES, seed + 3);
                assertThat(client.write(prompt.partition(), prompt.block(3, last))
                                .outcome())
                        .isEqualTo(WriteResult.Outcome.STORED);

                // Twice as many as there are connections, so that each process is asked.
                for (int i = 0; i < 8; i++) {
                    await().atMost(VISIBLE)
                            .until(() -> client.lookup(prompt.partition(), prompt.chain())
                                            .cachedBlocks()
                                    == 4);
                    Stacks.assertHolds(client, prompt.chain(), index -> TestPrompt.bytes(BLOCK_BYTES, seed + index));
                    try (Block block = client.readBlock(prompt.chain().location(3))) {
                        Stacks.assertBytes(block, last);
                    }
                    assertThat(client.write(prompt.partition(), prompt.block(3, last))
                                    .outcome())
                            .isEqualTo(WriteResult.Outcome.ALREADY_PRESENT);
                }
            }
            assertThat(admitted(0)).isGreaterThan(1);
            assertThat(admitted(1)).isGreaterThan(1);
            assertThat(client.counters().retries()).isZero();
        }
    }

    @Test
    void silentConnectionsOfOneClientPushOutNoOtherClients() throws Exception {
        List<Socket> many = new ArrayList<>();
        try (Socket first = connect("127.0.0.3")) {
            double before = displaced();
            for (int i = 0; i < 80; i++) {
                many.add(connect("127.0.0.2"));
            }

            await().atMost(Duration.ofSeconds(5)).until(() -> displaced() >= before + 20);
            first.setSoTimeout(100);
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .as("it is open")
                    .isThrownBy(() -> first.getInputStream().read());
            try (KvClient client = client()) {
                TestPrompt prompt = TestPrompt.unique(1);
                assertThat(client.lookup(prompt.partition(), prompt.chain()).cachedBlocks())
                        .isZero();
            }
        } finally {
            for (Socket socket : many) {
                socket.close();
            }
        }
    }

    private double displaced() throws Exception {
        return displaced(0) + displaced(1);
    }

    private double displaced(int index) throws Exception {
        return metrics(index)
                .sumsBy("kvstore_connections_closed_total", "reason")
                .getOrDefault("displaced", 0.0);
    }

    /** A client's connection through the balancer that says nothing. */
    private Socket connect(String from) throws IOException {
        return new Socket("127.0.0.1", front, InetAddress.getByName(from), 0);
    }

    @Test
    void aProcessThatDrainsLosesNoCall() throws Exception {
        try (KvClient client = client()) {
            TestPrompt prompt = TestPrompt.unique(200);
            int block = write(client, prompt, 0, 20);
            assertThat(https.status("PUT", http(1, "/drain"))).isLessThan(300);
            try {
                await().atMost(START).until(() -> !isReady(1));
                block = write(client, prompt, block, 60);
                // The grace is over, and no connection leads there any more.
                TestPrompt last = prompt;
                int from = block;
                await().atMost(START).until(() -> {
                    var _ = client.lookup(last.partition(), last.chain());
                    return admitted(1) <= 1;
                });
                assertThat(write(client, prompt, from, 20)).isEqualTo(from + 20);
            } finally {
                assertThat(https.status("DELETE", http(1, "/drain"))).isLessThan(300);
            }
            await().atMost(START).until(() -> isReady(1));
        }
    }

    /** Writes blocks one after the other, and says which comes next. */
    private static int write(KvClient client, TestPrompt prompt, int first, int count) {
        for (int i = first; i < first + count; i++) {
            var _ = client.write(prompt.partition(), prompt.block(i, TestPrompt.bytes(1_000, i)));
        }
        return first + count;
    }
}
