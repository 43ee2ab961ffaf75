package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.RestRequest;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.launcher.stack.StackFolder;
import dev.kvstore.launcher.stack.StackLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Two regions of which one goes: what the other has of it by then, and how clients come there. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class FailoverIT {
    private static final String HOME = StackLayout.HOME;
    private static final String AWAY = Stacks.AWAY;
    private static final int BLOCK_BYTES = 200_000;
    private static final int BLOCKS = 20;

    /** A lease ends after 6 s; what one process stored another knows of after 25 s at most. */
    private static final Duration SOON = Duration.ofSeconds(90);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path folder;

    private LocalStack stack;
    private AdminClient admin;

    @BeforeAll
    void start() throws Exception {
        stack = Stacks.startTwoRegions(folder.resolve("stack"), 1, 1, Duration.ofMillis(20));
        admin = control().admin();
    }

    @AfterAll
    void stop() {
        admin.close();
        stack.close();
    }

    private StackControlPlane control() {
        return Objects.requireNonNull(stack.controlPlane());
    }

    private StackDataPlane dataPlane(String region) {
        return stack.dataPlanes(region).getFirst();
    }

    private KvClient client(String region) {
        return Stacks.client(stack, dataPlane(region).endpoint()).build();
    }

    private TestPrompt writtenAtHome() {
        TestPrompt prompt = TestPrompt.unique(BLOCKS);
        try (KvClient client = client(HOME)) {
            for (int i = 0; i < BLOCKS; i++) {
                client.write(prompt.partition(), prompt.block(i, TestPrompt.bytes(BLOCK_BYTES, i)));
            }
        }
        return prompt;
    }

    private static void awaitFound(KvClient client, TestPrompt prompt) {
        await().atMost(SOON)
                .pollInterval(Duration.ofMillis(200))
                .ignoreExceptions()
                .until(() -> client.lookup(prompt.partition(), prompt.chain()).cachedBlocks() == BLOCKS);
    }

    /** Waits until the control plane knows that all blocks of the prompt were used at home. */
    private void awaitHeat(TestPrompt prompt) {
        String root = prompt.partition().root().hex();
        await().atMost(SOON)
                .until(() -> get("v1", "accounts", LocalStack.RESOURCE, "heat")
                        .path("partitions")
                        .valueStream()
                        .anyMatch(part -> part.path("root").asText().equals(root)
                                && part.path("blocks").asInt() == BLOCKS));
    }

    private JsonNode get(String... path) throws InterruptedException {
        return admin.send(RestRequest.get(List.of(path))).accepted().body();
    }

    /** Has every region read through to home. */
    private void readThrough() throws InterruptedException {
        JsonNode known = get("v1", "accounts", LocalStack.RESOURCE);
        ObjectNode spec = new ObjectMapper().createObjectNode();
        spec.set("tenant", known.path("tenant"));
        spec.set("homeRegion", known.path("homeRegion"));
        spec.putObject("readThrough").put("from", HOME).put("withinMillis", 5_000);
        ArrayNode replicas = spec.putArray("replicas");
        for (JsonNode replica : known.path("replicas")) {
            ObjectNode same = replicas.addObject();
            for (String field : List.of("region", "endpoint", "vouched")) {
                same.set(field, replica.path(field));
            }
        }
        admin.send(RestRequest.put(List.of("v1", "accounts", LocalStack.RESOURCE), spec))
                .accepted();
    }

    /** In the storage of a region. */
    private static List<Path> blobs(String region, TestPrompt prompt) throws IOException {
        Path partition = folder.resolve(region.equals(HOME) ? "stack/storage" : "stack/storage-" + region)
                .resolve("blobs/kv/v1/" + prompt.partition().root().hex());
        if (!Files.exists(partition)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(partition)) {
            return files.filter(Files::isRegularFile)
                    .filter(path -> path.getFileName().toString().matches("[0-9a-f]{64}\\+"))
                    .toList();
        }
    }

    @Test
    void whatIsAtHomeIsReadThroughAndStaysWhenHomeHasLostIt() throws Exception {
        readThrough();
        TestPrompt prompt = writtenAtHome();
        try (KvClient client = client(AWAY)) {
            awaitFound(client, prompt);

            Stacks.assertHolds(client, prompt.chain(), i -> TestPrompt.bytes(BLOCK_BYTES, i));

            assertThat(dataPlane(AWAY).metrics().sum("kvstore_read_through_bytes_total"))
                    .isGreaterThanOrEqualTo(1.0 * BLOCKS * BLOCK_BYTES);
        }
        await().atMost(SOON).until(() -> blobs(AWAY, prompt).size() == BLOCKS);
        for (Path blob : blobs(HOME, prompt)) {
            Files.delete(blob);
        }
        dataPlane(AWAY).kill();
        dataPlane(AWAY).startAgain();
        try (KvClient client = client(AWAY)) {
            awaitFound(client, prompt);
            Stacks.assertHolds(client, prompt.chain(), i -> TestPrompt.bytes(BLOCK_BYTES, i));
        }
    }

    @Test
    void whatIsWarmIsFoundAtOnceWhereClientsComeWhenHomeIsDown() throws Exception {
        TestPrompt prompt = writtenAtHome();
        awaitHeat(prompt);
        assertThat(get("v1", "accounts", LocalStack.RESOURCE, "failover", AWAY)
                        .at("/cold/blocks")
                        .asInt())
                .isGreaterThanOrEqualTo(BLOCKS);
        assertThat(kv("failover", LocalStack.RESOURCE, "--to", AWAY).out()).contains("nothing has changed");
        assertThat(kv("warm", LocalStack.RESOURCE, "--from", HOME, "--to", AWAY, "--used")
                        .exitCode())
                .isZero();
        assertThat(get("v1", "accounts", LocalStack.RESOURCE, "failover", AWAY)
                        .at("/cold/blocks")
                        .asInt())
                .isZero();

        try (KvClient client = KvClient.builder()
                .controlPlane(control().address())
                .region(HOME)
                .routeCache(folder.resolve("routes"))
                .resource(LocalStack.RESOURCE)
                .apiKey(stack.key().text())
                .build()) {
            awaitFound(client, prompt);
            dataPlane(HOME).kill();
            awaitFound(client, prompt);
            Stacks.assertHolds(client, prompt.chain(), i -> TestPrompt.bytes(BLOCK_BYTES, i));
        }

        assertThat(kv("failover", LocalStack.RESOURCE, "--to", AWAY, "--leave", "--yes")
                        .out())
                .contains(AWAY + " is home now");
        JsonNode account = get("v1", "accounts", LocalStack.RESOURCE);
        assertThat(account.path("homeRegion").asText()).isEqualTo(AWAY);
        assertThat(account.at("/avoidedRegions/0").asText()).isEqualTo(HOME);
        dataPlane(HOME).startAgain();
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(kv("failover", LocalStack.RESOURCE, "--to", HOME, "--yes")
                                .exitCode())
                        .isZero());
    }

    private Kv.KvResult kv(String... words) {
        return Admin.run(control().restUrl().toString(), StackFolder.adminToken(folder.resolve("stack")), words);
    }
}
