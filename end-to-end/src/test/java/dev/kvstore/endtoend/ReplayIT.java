package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kv bench replay} through a real service: what it finds, and what it must not overlook.
 * {@link BenchIT} has one short run of it.
 */
@Tag("full")
class ReplayIT {
    private static final int BLOCKS = 8;
    private static final int REQUESTS = 100;
    private static final int CAPACITIES = 50;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** 128 and SIGTERM. */
    private static final int TERMINATED = 143;

    /** The folder of the running stack. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    @SuppressWarnings("NullAway.Init")
    private static Path stackFolder;

    @SuppressWarnings("NullAway.Init")
    private static LocalStack stack;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @SuppressWarnings("NullAway.Init")
    private Path json;

    @BeforeAll
    static void startAStackThatKeepsNothingInMemory() throws InterruptedException {
        stack = LocalStack.start(
                StackOptions.onFreePorts(Home.current(), stackFolder)
                        .withDataPlanes(1)
                        .withSettings(Map.of("KVSTORE_MEMORY_TIER_SIZE", "0")),
                new SecureRandom());
    }

    @AfterAll
    static void stopIt() {
        stack.close();
    }

    @FunctionalInterface
    private interface BlobAction {
        void to(Path blob) throws IOException;
    }

    @Test
    void findsWhatItWroteAndWhereItLies() throws Exception {
        Path trace = trace(request(0, BLOCKS), request(4_000, BLOCKS + 2), request(8_000, 4));

        Kv.KvResult result = Kv.run(folder, Map.of(), arguments("--trace", trace.toString(), "--speedup", "2"));

        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        JsonNode figures = report().path("figures");
        assertThat(figures.path("requests").asInt()).isEqualTo(3);
        assertThat(figures.path("cachedBlocks").asInt()).isEqualTo(BLOCKS + 4);
        assertThat(figures.path("readBlocks").asInt()).isEqualTo(BLOCKS + 4);
        assertThat(figures.path("writtenBlocks").asInt()).isEqualTo(BLOCKS + 2);
        assertThat(report().path("tiers").path("memoryHits").asInt()).isEqualTo(BLOCKS + 4);
        assertThat(report().path("tiers")
                        .path("storageCalls")
                        .path("put_if_absent")
                        .asInt())
                .isGreaterThanOrEqualTo(BLOCKS + 2);
        assertThat(result.out()).contains("trace " + trace, "from memory", "1/293 of their full size");
    }

    @Test
    void aBlockThatIsDamagedMeanwhileFailsTheRun() throws Exception {
        JsonNode figures = replayAndMeanwhile(blob -> {
            byte[] bytes = Files.readAllBytes(blob);
            bytes[bytes.length - 1] ^= 1;
            Files.write(blob, bytes);
        });

        assertThat(figures.path("wrong").asInt()).isEqualTo(1);
    }

    @Test
    void aBlockThatIsLostMeanwhileFailsTheRun() throws Exception {
        JsonNode figures = replayAndMeanwhile(Files::delete);

        assertThat(figures.path("missing").asInt() + figures.path("lost").asInt())
                .isPositive();
    }

    @Test
    void aServerThatAnswersLaterShowsInTheTimeToTheFirstBlock() throws Exception {
        Path trace = trace(request(0, BLOCKS), request(2_000, BLOCKS), request(2_500, BLOCKS));

        Kv.KvResult result = Kv.run(
                folder, Map.of(), arguments("--trace", trace.toString(), "--speedup", "1", "--slow-server", "200"));

        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        assertThat(result.out()).contains("made to answer 200 ms later");
        JsonNode figures = report().path("figures");
        assertThat(figures.path("lookup").path("p50Millis").asDouble()).isGreaterThanOrEqualTo(200);
        // A lookup's answer, then the first of a read.
        assertThat(figures.path("firstBlock").path("count").asInt()).isEqualTo(2);
        assertThat(figures.path("firstBlock").path("p50Millis").asDouble()).isBetween(400.0, 1_000.0);
    }

    @Test
    void aReplayThatIsStoppedReportsWhatWasDone() throws Exception {
        Path trace = trace(IntStream.range(0, REQUESTS)
                .mapToObj(i -> request(1_000 * i, 1))
                .toArray(String[]::new));
        Path report = folder.resolve("report");

        Kv.KvResult result = Kv.run(
                folder,
                arguments("--trace", trace.toString(), "--speedup", "1", "--report", report.toString()),
                said -> said.contains("bench: 2/20"),
                Process::destroy,
                PATIENCE.toSeconds());

        assertThat(result.exitCode()).as(result.err()).isEqualTo(TERMINATED);
        assertThat(result.out())
                .contains("FAILED: it was stopped before its end")
                .doesNotContain("FLAW");
        JsonNode figures = report().path("figures");
        assertThat(figures.path("interrupted").asBoolean()).isTrue();
        assertThat(figures.path("requests").asInt()).isBetween(1, REQUESTS - 1);
        assertThat(report.resolve("report.html")).content().contains("it was stopped before its end");
    }

    @Test
    void aSimulationThatIsStoppedReportsTheCapacitiesThatWereDone() throws Exception {
        List<String> capacities = IntStream.rangeClosed(1, CAPACITIES)
                .mapToObj(i -> Integer.toString(1_000 * i))
                .toList();

        Kv.KvResult result = Kv.run(
                folder,
                arguments("--simulate", "--capacity-blocks", String.join(",", capacities)),
                said -> said.contains("bench: 2/" + CAPACITIES),
                Process::destroy,
                PATIENCE.toSeconds());

        assertThat(result.exitCode()).as(result.err()).isEqualTo(TERMINATED);
        assertThat(report().path("interrupted").asBoolean()).isTrue();
        assertThat(report().path("capacities").size()).isBetween(1, CAPACITIES - 1);
    }

    /** The same prompt twice, and something done to one of its blocks in between. */
    private JsonNode replayAndMeanwhile(BlobAction deed) throws Exception {
        Path key = Files.writeString(folder.resolve("key"), stack.key().text());
        List<String> arguments = arguments(
                "--trace", trace(request(0, BLOCKS), request(6_000, BLOCKS)).toString(),
                "--speedup", "1",
                "--endpoint", stack.dataPlane(0).endpoint(),
                "--key-file", key.toString());
        Set<Path> before = blobs();

        Kv.KvResult result = Kv.run(
                folder,
                arguments,
                _ -> blobs().size() == before.size() + BLOCKS,
                _ -> deed.to(blobs().stream()
                        .filter(blob -> !before.contains(blob))
                        .findFirst()
                        .orElseThrow()),
                PATIENCE.toSeconds());

        assertThat(result.exitCode()).as(result.err()).isEqualTo(1);
        assertThat(result.out()).contains("FLAW: ", "FAILED: ");
        return report().path("figures");
    }

    private static Set<Path> blobs() throws IOException {
        try (Stream<Path> files = Files.walk(stackFolder)) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.getFileName().toString().matches("[0-9a-f]{64}\\+"))
                    .collect(Collectors.toSet());
        }
    }

    private List<String> arguments(String... more) {
        json = folder.resolve("replay.json");
        List<String> arguments = new ArrayList<>(List.of("bench", "replay", "--json", json.toString()));
        arguments.addAll(List.of(more));
        return arguments;
    }

    private JsonNode report() throws IOException {
        return new ObjectMapper().readTree(json.toFile());
    }

    private Path trace(String... lines) throws IOException {
        return Files.write(folder.resolve("trace.jsonl"), List.of(lines));
    }

    private static String request(int millis, int blocks) {
        List<Integer> ids = Stream.iterate(1, i -> i + 1).limit(blocks).toList();
        return "{\"timestamp\": " + millis + ", \"input_length\": " + 512 * blocks
                + ", \"output_length\": 1, \"hash_ids\": " + ids + "}";
    }
}
