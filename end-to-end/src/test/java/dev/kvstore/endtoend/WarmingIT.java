package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.rest.AdminClient;
import dev.kvstore.launcher.rest.AdminException;
import dev.kvstore.launcher.rest.RestRequest;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackControlPlane;
import dev.kvstore.launcher.stack.StackDataPlane;
import dev.kvstore.launcher.stack.StackFolder;
import dev.kvstore.launcher.stack.StackLayout;
import dev.kvstore.protocol.format.BlockHeader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Blocks that are copied from one region's storage into another's, by processes that die meanwhile. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WarmingIT {
    private static final String HOME = StackLayout.HOME;
    private static final String AWAY = Stacks.AWAY;
    private static final int BLOCK_BYTES = 200_000;

    /** A stored block: its header, then its buffer. */
    private static final double BLOB_BYTES = BlockHeader.PAGE_BYTES + BLOCK_BYTES;

    /** Reports of use and the start of a warming take 1 s, the end of a claim 5 s; a busy machine takes longer. */
    private static final Duration SOON = Duration.ofSeconds(60);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    static Path folder;

    private LocalStack stack;
    private AdminClient admin;

    @BeforeAll
    void start() throws Exception {
        stack = Stacks.startTwoRegions(folder.resolve("stack"), 1, 2, Duration.ofMillis(20));
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

    private StackDataPlane home() {
        return stack.dataPlanes(HOME).getFirst();
    }

    private StackDataPlane away(int index) {
        return stack.dataPlanes(AWAY).get(index);
    }

    private TestPrompt written(int blocks) {
        TestPrompt prompt = TestPrompt.unique(blocks);
        try (KvClient client = client(home())) {
            for (int i = 0; i < blocks; i++) {
                client.write(prompt.partition(), prompt.block(i, TestPrompt.bytes(BLOCK_BYTES, i)));
            }
        }
        return prompt;
    }

    private static ObjectNode spec(TestPrompt prompt) {
        ObjectNode spec = new ObjectMapper()
                .createObjectNode()
                .put("resourceName", LocalStack.RESOURCE)
                .put("from", HOME)
                .put("to", AWAY);
        spec.putObject("select")
                .put("partition", prompt.partition().name())
                .put("blockTokens", prompt.partition().blockTokens());
        return spec;
    }

    private String begin(ObjectNode spec) throws InterruptedException {
        return admin.send(RestRequest.post(List.of("v1", "warmings"), spec))
                .accepted()
                .body()
                .path("id")
                .asText();
    }

    private JsonNode warming(String id) throws InterruptedException {
        return admin.send(RestRequest.get(List.of("v1", "warmings", id)))
                .accepted()
                .body();
    }

    private JsonNode awaitWarming(String id, Predicate<JsonNode> wanted) {
        return await().atMost(SOON)
                .pollInterval(Duration.ofMillis(100))
                .ignoreException(AdminException.class)
                .until(() -> warming(id), wanted);
    }

    private JsonNode awaitEnd(String id) {
        return awaitWarming(
                id,
                warming -> !List.of("planning", "running")
                        .contains(warming.path("state").asText()));
    }

    private static int done(JsonNode warming) {
        return warming.at("/blocks/copied").asInt()
                + warming.at("/blocks/present").asInt();
    }

    /** In the storage of a region. */
    private static List<Path> blobs(String region, TestPrompt prompt) throws IOException {
        Path partition = folder.resolve(region.equals(HOME) ? "stack/storage" : "stack/storage-" + region)
                .resolve("blobs/kv/v1/" + prompt.partition().root().hex());
        try (Stream<Path> files = Files.walk(partition)) {
            return files.filter(Files::isRegularFile)
                    .filter(path -> path.getFileName().toString().matches("[0-9a-f]{64}\\+"))
                    .toList();
        }
    }

    /** From storage. */
    private static double bytesRead(StackDataPlane dataPlane) {
        return dataPlane
                .metrics()
                .sumsBy("kvstore_storage_bytes_total", "direction")
                .getOrDefault("read", 0.0);
    }

    private static double copiedBytes(StackDataPlane dataPlane) {
        return dataPlane.metrics().sum("kvstore_warming_copied_bytes_total");
    }

    @Test
    void whatIsHotAtHomeIsReadInTheOtherRegionWithoutAskingStorage() throws Exception {
        TestPrompt prompt = written(20);
        ObjectNode spec = spec(prompt).put("preheat", "memory");
        ((ObjectNode) spec.get("select")).put("hottestBytes", 100_000_000);
        await().atMost(SOON)
                .until(() -> admin.send(RestRequest.get(List.of("v1", "accounts", LocalStack.RESOURCE, "heat")))
                        .accepted()
                        .body()
                        .path("partitions")
                        .valueStream()
                        .anyMatch(part -> part.path("root")
                                        .asText()
                                        .equals(prompt.partition().root().hex())
                                && part.path("blocks").asInt() == 20));

        double earlier = copiedBytes(away(0));

        JsonNode end = awaitEnd(begin(spec));

        assertThat(end.path("state").asText()).isEqualTo("done");
        assertThat(end.at("/blocks/copied").asInt()).isEqualTo(20);
        // Mostly one process copies all, as they are of one chunk; on a busy machine the other takes over its claim.
        int copied = (int) Math.round((copiedBytes(away(0)) - earlier) / BLOB_BYTES);
        StackDataPlane warm = copied > 0 ? away(0) : away(1);
        int resident = copied > 0 ? copied : 20;
        double used = warm.metrics().sum("kvstore_warming_used_blocks_total");
        double before = bytesRead(warm);
        try (KvClient client = client(warm)) {
            assertThat(client.lookup(prompt.partition(), prompt.chain()).cachedBlocks())
                    .isEqualTo(20);
            Stacks.assertHolds(client, prompt.chain(), i -> TestPrompt.bytes(BLOCK_BYTES, i));
        }
        assertThat(bytesRead(warm)).isLessThan(before + (20 - resident) * BLOB_BYTES + BLOCK_BYTES);
        assertThat(warm.metrics().sum("kvstore_warming_used_blocks_total")).isEqualTo(used + resident);
    }

    @Test
    void whatIsStoredThereAlreadyIsNotAskedForAgain() throws Exception {
        TestPrompt prompt = written(10);
        assertThat(awaitEnd(begin(spec(prompt))).at("/blocks/copied").asInt()).isEqualTo(10);
        double before = bytesRead(away(0)) + bytesRead(away(1));

        JsonNode end = awaitEnd(begin(spec(prompt)));

        assertThat(end.path("state").asText()).isEqualTo("done");
        assertThat(end.at("/blocks/present").asInt()).isEqualTo(10);
        assertThat(bytesRead(away(0)) + bytesRead(away(1))).isLessThan(before + BLOCK_BYTES);
    }

    @Test
    void aPrefixIsTheBlockThatEndsItAndThoseBeforeIt() throws Exception {
        TestPrompt prompt = written(10);
        ObjectNode spec = spec(prompt);
        ((ObjectNode) spec.get("select")).put("prefix", prompt.chain().hash(6).hex());

        JsonNode end = awaitEnd(begin(spec));

        assertThat(end.at("/blocks/copied").asInt()).as(end.toString()).isEqualTo(7);
        try (KvClient client = client(away(0))) {
            assertThat(client.lookup(prompt.partition(), prompt.chain()).cachedBlocks())
                    .isEqualTo(7);
        }
    }

    @Test
    void blocksThatAreDamagedOrGoneAtTheSourceFailAloneAndEachSaysWhy() throws Exception {
        TestPrompt prompt = written(10);
        List<Path> blobs = blobs(HOME, prompt);
        byte[] bytes = Files.readAllBytes(blobs.get(3));
        bytes[bytes.length / 2] ^= 1;
        Files.delete(blobs.get(3));
        Files.write(blobs.get(3), bytes);
        ObjectNode spec = spec(prompt).put("bytesPerSecond", 400_000);
        String id = begin(spec);
        awaitWarming(id, warming -> warming.path("state").asText().equals("running"));
        Path last = blobs.stream()
                .filter(path -> path.getFileName()
                        .toString()
                        .startsWith(prompt.chain().hash(9).hex()))
                .findFirst()
                .orElseThrow();
        Files.delete(last);

        JsonNode end = awaitEnd(id);

        assertThat(end.path("state").asText()).isEqualTo("partial");
        assertThat(end.at("/blocks/copied").asInt()).isEqualTo(last.equals(blobs.get(3)) ? 9 : 8);
        JsonNode failures = admin.send(RestRequest.get(List.of("v1", "warmings", id, "failures")))
                .accepted()
                .body()
                .path("items");
        assertThat(failures.findValuesAsText("reason"))
                .anyMatch(reason -> reason.equals("it is not at the source any more"))
                .allMatch(reason -> reason.equals("it is not at the source any more")
                        || reason.matches("damaged at the source: segment \\d+ fails its checksum"));
        assertThat(failures.findValuesAsText("hash"))
                .contains(prompt.chain().hash(9).hex());
    }

    /** Each of the processes that may be about it, and the one that knows how far it is, in the middle of it. */
    @Test
    void aWarmingOutlivesItsProcesses() throws Exception {
        int blocks = 120;
        TestPrompt prompt = written(blocks);
        String id = begin(spec(prompt).put("bytesPerSecond", 3_000_000));
        awaitWarming(id, warming -> done(warming) >= 20);

        away(0).kill();
        away(1).kill();
        int told = done(warming(id));
        away(1).startAgain();
        awaitWarming(id, warming -> done(warming) >= told + 20);
        control().kill();
        control().startAgain();
        JsonNode after = awaitWarming(id, _ -> true);
        assertThat(done(after)).isGreaterThanOrEqualTo(told + 20);
        away(0).startAgain();

        JsonNode end = awaitEnd(id);

        assertThat(end.path("state").asText()).isEqualTo("done");
        assertThat(blobs(AWAY, prompt)).hasSize(blocks);
        // Blocks that were under way when the data planes were killed were there when they were claimed again; no other
        // blocks were.
        assertThat(end.at("/blocks/copied").asInt() + end.at("/blocks/present").asInt())
                .isEqualTo(blocks);
        assertThat(end.at("/blocks/present").asInt()).isLessThanOrEqualTo(2 * 64);
        try (KvClient client = client(away(0))) {
            Stacks.assertHolds(client, prompt.chain(), i -> TestPrompt.bytes(BLOCK_BYTES, i));
        }
    }

    @Test
    void whatIsUsedAtHomeIsInTheOtherRegionSoon() throws Exception {
        ObjectNode spec = new ObjectMapper()
                .createObjectNode()
                .put("resourceName", LocalStack.RESOURCE)
                .put("from", HOME)
                .put("to", AWAY)
                .put("everySeconds", 10);
        spec.putObject("select").put("used", true);
        TestPrompt before = written(5);
        String id = begin(spec);
        try (KvClient client = client(away(1))) {
            awaitFound(client, before);
            awaitFound(client, written(5));
        }
        assertThat(warming(id).path("caughtUpAt").isTextual()).isTrue();
        var _ = admin.send(RestRequest.post(List.of("v1", "warmings", id, "cancel"), null))
                .accepted();
    }

    private static void awaitFound(KvClient client, TestPrompt prompt) {
        await().atMost(SOON)
                .until(() -> client.lookup(prompt.partition(), prompt.chain()).cachedBlocks() == 5);
    }

    @Test
    void anAdminFollowsItAndHearsWhatFailed() {
        TestPrompt prompt = written(5);

        Kv.KvResult result = kv(
                "warm",
                LocalStack.RESOURCE,
                "--from",
                HOME,
                "--to",
                AWAY,
                "--partition",
                prompt.partition().name(),
                "--block-tokens",
                "" + prompt.partition().blockTokens(),
                "--rate",
                "10M");

        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        assertThat(result.err()).contains("done     [########################] 100 %  5 of 5 blocks");
        Kv.KvResult none = kv("warm", LocalStack.RESOURCE, "--from", HOME, "--to", HOME, "--all");
        assertThat(none.exitCode()).isEqualTo(1);
        assertThat(none.err()).contains("to must be another region than from");
    }

    private Kv.KvResult kv(String... words) {
        return Admin.run(control().restUrl().toString(), StackFolder.adminToken(folder.resolve("stack")), words);
    }
}
