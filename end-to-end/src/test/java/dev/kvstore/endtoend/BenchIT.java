package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The shortest run of each {@code kv bench}: it measures something, reports it, and names what it cannot use. */
class BenchIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long PATIENCE_SECONDS = 240;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    private Kv.KvResult bench(String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of("bench"));
        words.addAll(List.of(arguments));
        return Kv.run(folder, Map.of(), words, PATIENCE_SECONDS);
    }

    private JsonNode report(String... arguments) throws Exception {
        Path json = folder.resolve("report.json");
        List<String> words = new ArrayList<>(List.of(arguments));
        words.add("--json=" + json);
        Kv.KvResult result = bench(words.toArray(String[]::new));
        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        return JSON.readTree(json.toFile());
    }

    @Test
    void peersMeasuresAPeer() throws Exception {
        JsonNode report = report("peers", "--quick", "--only=tcp", "--sizes=4096", "--rounds=1");

        assertThat(report.get("cases"))
                .isNotEmpty()
                .allSatisfy(one ->
                        assertThat(one.at("/gbPerSecond/median").asDouble()).isPositive());
    }

    @Test
    void limitsJudgesALimit() throws Exception {
        JsonNode report = report("limits", "--quick", "--only=lookup", "--folder=" + folder.resolve("disk"));

        assertThat(report.get("flaws")).isEmpty();
        assertThat(report.get("goals"))
                .isNotEmpty()
                .allSatisfy(goal -> assertThat(goal.get("reached").isBoolean()).isTrue());
    }

    @Test
    void sweepMeasuresEveryOperation() throws Exception {
        JsonNode report = report(
                "sweep",
                "--block-bytes=4096",
                "--stock-blocks=16",
                "--concurrency=2",
                "--rate=none",
                "--seconds=1",
                "--warmup=1",
                "--rounds=1");

        assertThat(report.get("steps")).isNotEmpty();
        for (JsonNode step : report.get("steps")) {
            for (String operation : List.of("lookup", "read", "write")) {
                assertThat(step.get(operation).get("count").asLong()).isPositive();
            }
        }
    }

    @Test
    void replayFindsWhatItWrote() throws Exception {
        JsonNode report = report("replay", "--trace=" + trace(2), "--speedup=1");

        JsonNode figures = report.path("figures");
        assertThat(figures.path("writtenBlocks").asInt()).isEqualTo(4);
        assertThat(figures.path("readBlocks").asInt()).isEqualTo(4);
    }

    /** The same prompt of four blocks so many times, 4 s apart. */
    private Path trace(int times) throws Exception {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            lines.add("{\"timestamp\": " + 4_000 * i
                    + ", \"input_length\": 2048, \"output_length\": 1, \"hash_ids\": [1, 2, 3, 4]}");
        }
        return Files.write(folder.resolve("trace.jsonl"), lines);
    }

    @Test
    void sweepNamesAnEndpointThatNobodyListensAt() throws Exception {
        assertNamed("sweep --quick", "127.0.0.1:1", " cannot be used: no data plane answers there; start one, or name");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:1", "no.such.host.invalid:1"})
    void replayNamesAnEndpointThatNobodyListensAt(String endpoint) throws Exception {
        assertNamed("replay --trace=" + trace(1), endpoint, " cannot be used: ");
    }

    private void assertNamed(String command, String endpoint, String message) throws Exception {
        Path key = Files.writeString(folder.resolve("key"), "kv_id_secret");
        List<String> words = new ArrayList<>(List.of(command.split(" +")));
        words.addAll(List.of("--endpoint=" + endpoint, "--key-file=" + key));

        Kv.KvResult result = bench(words.toArray(String[]::new));

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err())
                .contains("kv: --endpoint: " + endpoint + message)
                .doesNotContain("\tat ");
    }
}
