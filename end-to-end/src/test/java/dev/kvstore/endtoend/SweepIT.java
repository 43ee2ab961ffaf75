package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackOptions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * {@code kv bench sweep}: what is slow, lost or damaged in the service shows in the report.
 * {@link BenchIT} has one short run of it.
 */
@Tag("full")
class SweepIT {
    private static final long PATIENCE_SECONDS = 240;

    /** The folder of the running stack. */
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    @SuppressWarnings("NullAway.Init")
    private static Path stackFolder;

    @SuppressWarnings("NullAway.Init")
    private static LocalStack stack;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

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

    @Test
    void aStorageThatIsFarAwayShowsInReadsAndWritesAndNotInLookups() throws Exception {
        Kv.KvResult result = ownSweep(
                "--data=cold",
                "--added-storage-latency=get=60ms,put=90ms",
                "--stock-blocks=32",
                "--concurrency=1,4",
                "--rate=2",
                "--seconds=2",
                "--processes=2",
                "--target=1000");

        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        JsonNode steps = report().get("steps");
        assertThat(steps.valueStream()
                        .map(step -> step.get("loop").asText() + " "
                                + step.get("arrangement").asText()))
                .containsExactly(
                        "closed single", "closed dual", "closed single", "closed dual", "open single", "open dual");
        for (JsonNode step : steps) {
            assertThat(step.get("read").get("count").asLong()).isPositive();
            assertThat(step.get("read").get("p50Millis").asDouble()).isGreaterThanOrEqualTo(60);
            assertThat(step.get("write").get("p50Millis").asDouble()).isGreaterThanOrEqualTo(90);
            assertThat(step.get("lookup").get("p50Millis").asDouble())
                    .isLessThan(step.get("read").get("p50Millis").asDouble());
            assertThat(step.get("readFrom").get("storage").asDouble()).isEqualTo(1);
            assertThat(step.get("gigabitsPerSecond").get("fromStorage").asDouble())
                    .isPositive();
            assertThat(step.get("gigabitsPerSecond").get("toStorage").asDouble())
                    .isPositive();
        }
        for (JsonNode step : steps.valueStream()
                .filter(step -> step.get("loop").asText().equals("closed"))
                .toList()) {
            JsonNode hops = step.get("hops");
            assertThat(hops.get("read").get("storageMillis").asDouble()).isGreaterThan(50);
            assertThat(hops.get("write").get("storageMillis").asDouble()).isGreaterThan(80);
            assertThat(hops.get("lookup").get("storageMillis").asDouble()).isLessThan(10);
        }
    }

    @Test
    void aServerThatAnswersLaterShowsInEveryOperation() throws Exception {
        Kv.KvResult result =
                ownSweep("--slow-server=50", "--stock-blocks=16", "--concurrency=2", "--rate=none", "--seconds=1");

        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        assertThat(result.out()).contains("made to answer 50 ms later");
        for (JsonNode step : report().get("steps")) {
            for (String operation : List.of("lookup", "read", "write")) {
                // The relay is on the way, so neither a server nor its storage is slow.
                assertThat(step.get("hops")
                                .get(operation)
                                .get("wireAndClientMillis")
                                .asDouble())
                        .isGreaterThan(40);
                assertThat(step.get(operation).get("count").asLong()).isPositive();
                assertThat(step.get(operation).get("p50Millis").asDouble()).isGreaterThanOrEqualTo(50);
            }
        }
    }

    @Test
    void aBlockThatIsLostMeanwhileFailsTheRun() throws Exception {
        JsonNode report = sweep("warming up", List.of("--concurrency=2"), _ -> Files.delete(blockOfTheStock()));

        assertThat(report.get("faults").get("lost").asLong()).isPositive();
    }

    @Test
    void aBlockThatIsDamagedMeanwhileFailsTheRun() throws Exception {
        JsonNode report = sweep("warming up", List.of("--concurrency=2"), _ -> {
            try (RandomAccessFile file = new RandomAccessFile(blockOfTheStock().toFile(), "rw")) {
                file.seek(file.length() - 1);
                int last = file.read();
                file.seek(file.length() - 1);
                file.write(last ^ 1);
            }
        });

        assertThat(report.get("faults").get("wrong").asLong()).isPositive();
    }

    @Test
    void aRunThatIsStoppedReportsTheStepsThatWereWhole() throws Exception {
        JsonNode report = sweep("bench: 3/4", List.of("--concurrency=1,2,3,4"), Process::destroy);

        assertThat(report.get("ended").asText()).isEqualTo("interrupted");
        assertThat(report.get("steps")
                        .valueStream()
                        .map(step -> step.get("concurrency").asInt()))
                .containsExactly(1, 2);
        assertThat(report.get("series")
                        .get(0)
                        .get("peak")
                        .get("iterationsPerSecond")
                        .asDouble())
                .isPositive();
    }

    @ParameterizedTest
    @CsvSource({
        "lookup, lookup",
        "missing-lookup, lookup",
        "read, read",
        "streaming-read, read",
        "write, write",
        "streaming-write, write"
    })
    void aLoadOfOneKindOfCallHasFiguresOfThatKindAlone(String load, String operation) throws Exception {
        URI metrics = stack.dataPlanes().getFirst().metricsUrl();
        List<String> command =
                running("--metrics=" + metrics, "--load=" + load, "--prompt-blocks=8", "--concurrency=2");

        Kv.KvResult result = Kv.run(folder, Map.of(), command, PATIENCE_SECONDS);

        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        JsonNode step = report().get("steps").get(0);
        for (String each : List.of("lookup", "read", "write")) {
            assertThat(step.get(each).get("count").asLong() > 0).as(each).isEqualTo(each.equals(operation));
        }
        assertThat(step.get("firstBlock").get("count").asLong() > 0).isEqualTo(load.equals("streaming-read"));
        assertThat(step.get("hops").has(operation)).isEqualTo(!load.startsWith("streaming"));
        assertThat(step.get("little").get("deviationPercent").asDouble()).isBetween(-50.0, 50.0);
    }

    /** Over a stack of its own. */
    private Kv.KvResult ownSweep(String... flags) throws Exception {
        List<String> command = new ArrayList<>(
                List.of("bench", "sweep", "--block-bytes=4096", "--warmup=1", "--rounds=1", "--json=" + json()));
        command.addAll(List.of(flags));
        return Kv.run(folder, Map.of(), command, PATIENCE_SECONDS);
    }

    private Path json() {
        return folder.resolve("sweep.json");
    }

    private JsonNode report() throws IOException {
        return new ObjectMapper().readTree(json().toFile());
    }

    /** Reads from the storage of a running stack, does something as soon as progress has the line, and fails. */
    private JsonNode sweep(String line, List<String> flags, Kv.KvAction deed) throws Exception {
        List<String> command = running(flags.toArray(String[]::new));

        Kv.KvResult result = Kv.run(folder, command, said -> said.contains(line), deed, PATIENCE_SECONDS);

        assertThat(result.exitCode()).as(result.err()).isNotZero();
        assertThat(result.out()).contains("FAILED: ");
        return report();
    }

    /** A sweep over the running stack. */
    private List<String> running(String... flags) throws IOException {
        Path key = Files.writeString(folder.resolve("key"), stack.key().text());
        List<String> command = new ArrayList<>(List.of(
                "bench",
                "sweep",
                "--endpoint=" + stack.endpoints().getFirst(),
                "--key-file=" + key,
                "--data=cold",
                "--stock-blocks=32",
                "--block-bytes=8192",
                "--rate=none",
                "--seconds=2",
                "--warmup=2",
                "--rounds=1",
                "--json=" + json()));
        command.addAll(List.of(flags));
        return command;
    }

    /** A block of the stock of the sweep that was begun last. */
    private static Path blockOfTheStock() throws IOException {
        try (Stream<Path> files = Files.walk(stackFolder.resolve("storage/blobs/kv/v1"))) {
            Path description = files.filter(file -> file.endsWith("partition.json+"))
                    .filter(file -> content(file).contains("/stock"))
                    .max(Comparator.comparing(file -> file.toFile().lastModified()))
                    .orElseThrow();
            try (Stream<Path> blocks = Files.walk(description.resolveSibling("."))) {
                // Named by their hashes, in hexadecimal.
                return blocks.filter(file -> file.getFileName().toString().matches("[0-9a-f]{64}\\+"))
                        .findFirst()
                        .orElseThrow();
            }
        }
    }

    private static String content(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            // Written or replaced just now.
            return "";
        }
    }
}
