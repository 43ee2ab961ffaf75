package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackOptions;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code kv bench kv-cache} over KV Store and over a blob endpoint: what the store loses or damages shows in the
 * report.
 */
@Tag("full")
class KvCacheIT {
    private static final long PATIENCE_SECONDS = 120;
    private static final int REQUESTS_PER_SECOND = 100;
    private static final Duration STALL = Duration.ofSeconds(1);

    /** 256 bytes a token, so that a block of 128 tokens has 32 KiB. */
    private static final String SMALL_MODEL =
            "model_configs: {small: {num_layers: 2, hidden_dim: 64, num_heads: 2, kv_heads: 1}}";

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
    void aRunOverAServiceOfItsOwnHasNoErrors() throws Exception {
        Kv.KvResult result = Kv.run(folder, Map.of(), command("--tiers=kvstore"), PATIENCE_SECONDS);

        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        assertThat(own().path("services").get(0).asText()).isEqualTo("a data plane of this machine over filesystem");
        assertThat(read()).isPositive();
    }

    @Test
    void aRunOverAzuriteHasNoErrors() throws Exception {
        Kv.KvResult result = Kv.run(folder, Map.of(), command("--tiers=object"), PATIENCE_SECONDS);

        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        assertThat(own().path("services").get(0).asText()).isEqualTo("Azurite of this machine");
        assertThat(read()).isPositive();
    }

    @Test
    void blocksThatTheStoreDroppedFailTheRun() throws Exception {
        Kv.KvResult result = overTheStack(Files::delete);

        assertThat(result.exitCode()).as(result.out() + result.err()).isEqualTo(1);
        assertThat(own().path("errors").asLong()).isPositive();
    }

    @Test
    void blocksThatAreDamagedInTheStoreFailTheRun() throws Exception {
        Kv.KvResult result = overTheStack(block -> {
            try (RandomAccessFile file = new RandomAccessFile(block.toFile(), "rw")) {
                file.seek(file.length() - 1);
                int last = file.read();
                file.seek(file.length() - 1);
                file.write(last ^ 1);
            }
        });

        assertThat(result.exitCode()).as(result.out() + result.err()).isEqualTo(1);
        assertThat(own().path("damaged_reads").asLong()).isPositive();
    }

    @Test
    void promptsInBlocksAreFoundAgainInAServiceOfItsOwn() throws Exception {
        Kv.KvResult result = Kv.run(
                folder,
                Map.of(),
                command("--tiers=kvstore", "--block-tokens=128", "--prefill-rate=1000"),
                PATIENCE_SECONDS);

        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        assertThat(own().at("/blocks/saved_prefill_tokens").asLong()).isPositive();
        assertThat(own().at("/blocks/blocks_read").asLong()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"smoke", "mlperf", "seed-002", "wrapper"})
    void aQuickSuiteTakesLessThanTwoMinutes(String suite) throws Exception {
        Kv.KvResult result = Kv.run(
                folder,
                Map.of(),
                List.of(
                        "bench",
                        "kv-cache",
                        "--suite=" + suite,
                        "--quick",
                        "--cache-dir=" + folder,
                        "--results-dir=" + folder.resolve("results"),
                        "--json=" + folder.resolve("suite.json")),
                PATIENCE_SECONDS);

        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        JsonNode report =
                new ObjectMapper().readTree(folder.resolve("suite.json").toFile());
        assertThat(report.path("runs").size()).isEqualTo(report.path("planned").asInt());
    }

    /** Stopped (SIGSTOP) for a second, it sends a tenth of its requests late, and each is served fast when it is sent. */
    @Test
    void aBenchmarkThatWasStalledSaysSoInTheLatencyFromTheIntendedStart() throws Exception {
        List<String> command = command(
                "--tiers=gpu-sim,null", "--gpu-mem-gb=1", "--arrival=fixed", "--request-rate=" + REQUESTS_PER_SECOND);
        Kv.KvResult result =
                Kv.run(folder, command, said -> said.contains("bench: 4/10"), KvCacheIT::stall, PATIENCE_SECONDS);

        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        double intended = own().at("/latency_from_intended_start_ms/p99").asDouble();
        double sent = own().at("/latency_from_arrival_ms/p99").asDouble();
        assertThat(intended).isBetween(0.8 * STALL.toMillis(), 2.0 * STALL.toMillis());
        assertThat(sent).isLessThan(intended / 2);
    }

    private static void stall(Process process) throws IOException {
        List<String> all = Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .map(one -> Long.toString(one.pid()))
                .toList();
        signal("STOP", all);
        long until = System.nanoTime() + STALL.toNanos();
        while (System.nanoTime() - until < 0) {
            LockSupport.parkNanos(until - System.nanoTime());
        }
        signal("CONT", all);
    }

    private static void signal(String name, List<String> processes) throws IOException {
        List<String> command = new ArrayList<>(List.of("kill", "-" + name));
        command.addAll(processes);
        assertThat(new ProcessBuilder(command).start().onExit().join().exitValue())
                .isZero();
    }

    @FunctionalInterface
    private interface BlockAction {
        void to(Path block) throws IOException;
    }

    /** Reads entries that were written before, and does something to every stored block meanwhile. */
    private Kv.KvResult overTheStack(BlockAction deed) throws Exception {
        Path key = Files.writeString(folder.resolve("key"), stack.key().text());
        List<String> command = command(
                "--tiers=kvstore",
                "--decode-only",
                "--target=" + stack.endpoints().getFirst(),
                "--key-file=" + key);
        return Kv.run(folder, command, said -> said.contains("bench: 2/10"), _ -> toAllBlocks(deed), PATIENCE_SECONDS);
    }

    private static void toAllBlocks(BlockAction deed) throws IOException {
        try (Stream<Path> files = Files.walk(stackFolder.resolve("storage/blobs/kv/v1"))) {
            // Named by their hashes, in hexadecimal.
            for (Path block : files.filter(file -> file.getFileName().toString().matches("[0-9a-f]{64}\\+"))
                    .toList()) {
                deed.to(block);
            }
        }
    }

    private List<String> command(String... more) throws IOException {
        Path config = Files.writeString(folder.resolve("config.yaml"), SMALL_MODEL);
        List<String> command = new ArrayList<>(List.of(
                "bench",
                "kv-cache",
                "--config=" + config,
                "--model=small",
                "--cpu-mem-gb=0",
                "--generation-mode=none",
                "--num-users=2",
                "--duration=10",
                "--warmup=1",
                "--drain=20",
                "--seed=42",
                "--cache-dir=" + folder,
                "--output=" + folder.resolve("results.json")));
        command.addAll(List.of(more));
        return command;
    }

    private JsonNode summary() throws IOException {
        return new ObjectMapper()
                .readTree(folder.resolve("results.json").toFile())
                .path("summary");
    }

    private JsonNode own() throws IOException {
        return summary().path("kvstore");
    }

    private double read() throws IOException {
        return summary().at("/cache_stats/tier_storage_kv_bytes_read_gb").asDouble();
    }
}
