package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** {@code kv bench replay} through a real service: what it finds, and what it must not overlook. */
class ReplayIT {
    private static final int BLOCKS = 8;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @SuppressWarnings("NullAway.Init")
    private Path json;

    @FunctionalInterface
    private interface Deed {
        void to(Path blob) throws IOException;
    }

    @Test
    void findsWhatItWroteAndWhereItLies() throws Exception {
        Path trace = trace(request(0, BLOCKS), request(4_000, BLOCKS + 2), request(8_000, 4));

        Kv.Result result = Kv.run(folder, Map.of(), arguments("--trace", trace.toString(), "--speedup", "2"));

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
    void anEndpointThatNobodyListensAtIsNamed() throws Exception {
        Path key = Files.writeString(folder.resolve("key"), "kv_none_none");

        Kv.Result result = Kv.run(
                folder,
                Map.of(),
                arguments(
                        "--trace", trace(request(0, 1)).toString(),
                        "--endpoint", "127.0.0.1:1",
                        "--key-file", key.toString()));

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).contains("kv: --endpoint: 127.0.0.1:1 does not answer a lookup: ");
    }

    /** The same prompt twice, and something done to one of its blocks in between. */
    private JsonNode replayAndMeanwhile(Deed deed) throws Exception {
        // No memory for blocks: each is read from storage.
        StackOptions options = StackOptions.onFreePorts(Home.current(), folder.resolve("stack"))
                .withDataPlanes(1)
                .withSettings(Map.of("KVSTORE_DRAM", "0"));
        try (LocalStack stack = LocalStack.start(options, new SecureRandom())) {
            Path key = Files.writeString(folder.resolve("key"), stack.key().text());
            List<String> arguments = arguments(
                    "--trace",
                            trace(request(0, BLOCKS), request(10_000, BLOCKS)).toString(),
                    "--speedup", "1",
                    "--endpoint", stack.dataPlane(0).endpoint(),
                    "--key-file", key.toString());
            Process replay = Kv.start(folder, Map.of(), arguments, folder.resolve("out"), folder.resolve("err"));
            try {
                await().atMost(PATIENCE).until(() -> blobs().size() == BLOCKS);
                deed.to(blobs().getFirst());
                assertThat(replay.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .isTrue();
            } finally {
                replay.destroyForcibly();
            }
            assertThat(replay.exitValue())
                    .as(Files.readString(folder.resolve("err")))
                    .isEqualTo(1);
            assertThat(Files.readString(folder.resolve("out"))).contains("FLAW: ", "FAILED: ");
            return report().path("figures");
        }
    }

    private List<Path> blobs() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("stack"))) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> file.getFileName().toString().matches("[0-9a-f]{64}\\+"))
                    .sorted()
                    .toList();
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
