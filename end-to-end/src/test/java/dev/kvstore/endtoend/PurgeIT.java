package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.WriteResult;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.AdminException;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Blocks that are purged, in two regions with processes that hold them in memory. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PurgeIT {
    private static final String HOME = StackLayout.HOME;
    private static final String AWAY = Stacks.AWAY;
    private static final int BLOCK_BYTES = 20_000;
    private static final int BLOCKS = 6;
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path folder;

    private LocalStack stack;
    private AdminClient admin;

    @BeforeAll
    void start() throws Exception {
        stack = Stacks.startTwoRegions(folder.resolve("stack"), 2, 1, Duration.ofMillis(5));
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

    private KvClient client(StackDataPlane dataPlane) {
        return Stacks.client(stack, dataPlane.endpoint()).build();
    }

    private List<StackDataPlane> all() {
        List<StackDataPlane> all = new ArrayList<>(stack.dataPlanes(HOME));
        all.addAll(stack.dataPlanes(AWAY));
        return all;
    }

    private void write(TestPrompt prompt, int block, long seed) {
        try (KvClient client = client(stack.dataPlanes(HOME).getFirst())) {
            assertThat(client.write(prompt.partition(), prompt.block(block, TestPrompt.bytes(BLOCK_BYTES, seed)))
                            .outcome())
                    .isEqualTo(WriteResult.Outcome.STORED);
        }
    }

    /** Stored in both regions, and in the memory of each process. */
    private TestPrompt everywhere() throws Exception {
        TestPrompt prompt = TestPrompt.unique(BLOCKS);
        for (int i = 0; i < BLOCKS; i++) {
            write(prompt, i, i);
        }
        ObjectNode warming = new ObjectMapper()
                .createObjectNode()
                .put("resourceName", LocalStack.RESOURCE)
                .put("from", HOME)
                .put("to", AWAY);
        warming.putObject("select")
                .put("partition", prompt.partition().name())
                .put("blockTokens", prompt.partition().blockTokens());
        String id = admin.send(RestRequest.post(List.of("v1", "warmings"), warming))
                .accepted()
                .body()
                .path("id")
                .asText();
        awaitState("warmings", id, "done");
        for (StackDataPlane dataPlane : all()) {
            assertHolds(dataPlane, prompt);
        }
        assertThat(blobs(prompt)).isEqualTo(2L * BLOCKS);
        return prompt;
    }

    private void assertHolds(StackDataPlane dataPlane, TestPrompt prompt) {
        try (KvClient client = client(dataPlane)) {
            Stacks.assertHolds(client, prompt.chain(), i -> TestPrompt.bytes(BLOCK_BYTES, i));
        }
    }

    private JsonNode awaitState(String kind, String id, String state) {
        return await().atMost(SOON)
                .pollInterval(Duration.ofMillis(100))
                .ignoreException(AdminException.class)
                .until(
                        () -> admin.send(RestRequest.get(List.of("v1", kind, id)))
                                .accepted()
                                .body(),
                        job -> job.path("state").asText().equals(state));
    }

    private static ObjectNode spec(TestPrompt prompt) {
        return new ObjectMapper()
                .createObjectNode()
                .put("resourceName", LocalStack.RESOURCE)
                .put("partition", prompt.partition().name())
                .put("blockTokens", prompt.partition().blockTokens());
    }

    private String begin(ObjectNode spec) throws InterruptedException {
        return admin.send(RestRequest.post(List.of("v1", "purges"), spec))
                .accepted()
                .body()
                .path("id")
                .asText();
    }

    /** In the storage of both regions. */
    private static long blobs(TestPrompt prompt) throws IOException {
        long found = 0;
        for (String storage : List.of("stack/storage", "stack/storage-" + AWAY)) {
            try (Stream<Path> files = Files.walk(folder.resolve(storage)
                    .resolve("blobs/kv/v1/" + prompt.partition().root().hex()))) {
                found += files.filter(Files::isRegularFile)
                        .filter(path -> path.getFileName().toString().matches("[0-9a-f]{64}\\+"))
                        .count();
            }
        }
        return found;
    }

    private void assertMissing(StackDataPlane dataPlane, TestPrompt prompt, int... blocks) {
        try (KvClient client = client(dataPlane);
                BlockStream stream = client.read(prompt.chain())) {
            List<Integer> missing = new ArrayList<>();
            for (BlockResult result : stream) {
                switch (result) {
                    case BlockResult.Found found -> found.block().close();
                    case BlockResult.Missing gone -> missing.add(gone.index());
                    case BlockResult.Failed failed -> throw failed.reason();
                }
            }
            assertThat(missing)
                    .as(dataPlane.memberName())
                    .containsExactlyElementsOf(Arrays.stream(blocks).boxed().toList());
        }
    }

    @Test
    void aPurgedPartitionIsServedNowhereAndCanBeWrittenAnew() throws Exception {
        TestPrompt purged = everywhere();
        TestPrompt other = everywhere();

        JsonNode end = awaitState("purges", begin(spec(purged)), "done");

        assertThat(end.path("deleted").asInt()).isEqualTo(2 * BLOCKS);
        assertThat(end.path("failed").asInt()).isZero();
        assertThat(blobs(purged)).isZero();
        for (StackDataPlane dataPlane : all()) {
            try (KvClient client = client(dataPlane)) {
                assertThat(client.lookup(purged.partition(), purged.chain()).cachedBlocks())
                        .isZero();
            }
            assertMissing(dataPlane, purged, 0, 1, 2, 3, 4, 5);
            assertHolds(dataPlane, other);
        }
        write(purged, 0, 99);
        try (KvClient client = client(stack.dataPlanes(HOME).getLast())) {
            Stacks.assertHolds(client, purged.chain().prefix(1), _ -> TestPrompt.bytes(BLOCK_BYTES, 99));
        }
    }

    @Test
    void aPurgedBlockLeavesAHoleThatTheNextWriterFills() throws Exception {
        TestPrompt prompt = everywhere();
        ObjectNode spec = spec(prompt).put("block", prompt.chain().hash(2).hex());

        JsonNode end = awaitState("purges", begin(spec), "done");

        assertThat(end.path("deleted").asInt()).isEqualTo(2);
        for (StackDataPlane dataPlane : all()) {
            assertMissing(dataPlane, prompt, 2);
        }
        write(prompt, 2, 99);
        for (StackDataPlane dataPlane : stack.dataPlanes(HOME)) {
            try (KvClient client = client(dataPlane)) {
                Stacks.assertHolds(client, prompt.chain(), i -> TestPrompt.bytes(BLOCK_BYTES, i == 2 ? 99 : i));
            }
        }
    }

    @Test
    void whatOneKeyWroteIsPurgedInEveryPartition() throws Exception {
        TestPrompt kept = everywhere();
        String secret = admin.send(RestRequest.post(
                        List.of("v1", "tenants", LocalStack.TENANT, "keys"),
                        new ObjectMapper().createObjectNode().put("label", "rogue")))
                .accepted()
                .body()
                .path("key")
                .asText();
        String keyId = secret.split("_", 3)[1];
        TestPrompt first = TestPrompt.unique(BLOCKS);
        TestPrompt second = TestPrompt.unique(BLOCKS);
        write(first, 0, 0);
        try (KvClient rogue = KvClient.builder()
                .endpoints(stack.dataPlanes(HOME).getFirst().endpoint())
                .resource(LocalStack.RESOURCE)
                .apiKey(secret)
                .build()) {
            for (int i = 0; i < BLOCKS; i++) {
                rogue.write(second.partition(), second.block(i, TestPrompt.bytes(BLOCK_BYTES, i)));
                rogue.write(first.partition(), first.block(i, TestPrompt.bytes(BLOCK_BYTES, i)));
            }
        }
        for (StackDataPlane dataPlane : stack.dataPlanes(HOME)) {
            assertHolds(dataPlane, first);
            assertHolds(dataPlane, second);
        }
        admin.send(RestRequest.delete(List.of("v1", "tenants", LocalStack.TENANT, "keys", keyId)))
                .accepted();

        JsonNode end = awaitState(
                "purges",
                begin(new ObjectMapper()
                        .createObjectNode()
                        .put("resourceName", LocalStack.RESOURCE)
                        .put("key", keyId)),
                "done");

        assertThat(end.path("deleted").asInt()).isEqualTo(2 * BLOCKS - 1);
        for (StackDataPlane dataPlane : all()) {
            assertMissing(dataPlane, second, 0, 1, 2, 3, 4, 5);
            assertHolds(dataPlane, kept);
        }
        for (StackDataPlane dataPlane : stack.dataPlanes(HOME)) {
            assertMissing(dataPlane, first, 1, 2, 3, 4, 5);
        }
    }

    /** The one that knows how far it is, and one that has to forget. */
    @Test
    void aPurgeOutlivesItsProcesses() throws Exception {
        TestPrompt prompt = everywhere();
        StackDataPlane away = stack.dataPlanes(AWAY).getFirst();
        away.kill();
        String id = begin(spec(prompt));
        control().kill();
        control().startAgain();
        away.startAgain();

        JsonNode end = awaitState("purges", id, "done");

        assertThat(end.path("deleted").asInt()).isEqualTo(2 * BLOCKS);
        assertThat(blobs(prompt)).isZero();
        for (StackDataPlane dataPlane : all()) {
            assertMissing(dataPlane, prompt, 0, 1, 2, 3, 4, 5);
        }
    }

    @Test
    void anAdminFollowsItAndIsToldWhatItDoesNotDo() throws Exception {
        TestPrompt prompt = everywhere();

        Kv.KvResult result = kv(
                "purge",
                LocalStack.RESOURCE,
                "--partition",
                prompt.partition().name(),
                "--block-tokens",
                "" + prompt.partition().blockTokens());

        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        assertThat(result.err()).contains("done: 12 blocks deleted");
        assertThat(blobs(prompt)).isZero();
        Kv.KvResult key = kv("purge", LocalStack.RESOURCE, "--key", "nobody");
        assertThat(key.exitCode()).as(key.out() + key.err()).isZero();
        assertThat(key.err()).contains("revoke the key first");
        assertThat(kv("get", "purges", "--account", LocalStack.RESOURCE).out()).contains("nobody");
        assertThat(kv("purge", LocalStack.RESOURCE).exitCode()).isNotZero();
    }

    private Kv.KvResult kv(String... words) {
        return Admin.run(control().restUrl().toString(), StackFolder.adminToken(folder.resolve("stack")), words);
    }
}
