package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Commands that drive the Python client: {@code kv demo --client python} and {@code kv bench python}. */
class PythonProgramsIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Set<String> OF_OTHERS = Set.of("redis");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    Path folder;

    @Test
    void theDemoHoldsWithThePythonClient() throws Exception {
        JsonNode report = report("demo", "--client=python", "--block-bytes=4096", "--conversations=2");

        assertThat(report.get("passed").asBoolean()).isTrue();
        assertThat(report.get("client").asText()).isEqualTo("the Python client");
        assertThat(report.get("blocksStored").asInt()).isPositive();
        assertThat(report.get("checks")).hasSizeGreaterThanOrEqualTo(11).allSatisfy(check -> {
            assertThat(check.get("asked").asInt()).isPositive();
            assertThat(check.get("failures").asInt()).isZero();
        });
    }

    @Test
    void theBenchmarkMeasuresTheClientAndNamesWhatIsNotThere() throws Exception {
        JsonNode report = report("bench", "python", "--quick", "--only=tcp,kvstore,unverified,agent,ahead,redis");

        Set<String> missing = Set.copyOf(report.get("missing").findValuesAsText("peer"));
        assertThat(OF_OTHERS).containsAll(missing);
        assertThat(report.get("missing"))
                .allSatisfy(one -> assertThat(one.get("why").asText()).isNotBlank());
        assertThat(report.get("flaws")).isEmpty();
        // tcp, kvstore and agent read and write, unverified and ahead read; each alone and beside a busy thread.
        int redis = missing.contains("redis") ? 0 : 4;
        assertThat(report.get("cases")).hasSize(16 + redis).allSatisfy(one -> {
            assertThat(one.at("/gbPerSecond/median").asDouble()).isPositive();
            assertThat(one.at("/clientCpuSecondsPerGb/median").asDouble()).isPositive();
            assertThat(one.get("rounds")).hasSize(1);
        });
        assertThat(report.get("goals").findValuesAsText("name"))
                .containsExactly("readVsTcp", "readCpu", "readUnverifiedCpu");
    }

    private JsonNode report(String... arguments) throws Exception {
        assumeTrue(GoTool.isOnPath("python3"), "missing: python3, 3.10 or newer, which the Python client is for");
        Path json = folder.resolve("report.json");
        List<String> words = new ArrayList<>(List.of(arguments));
        words.add("--json=" + json);
        Kv.KvResult result = Kv.run(folder, Map.of(), words);
        boolean hasPython = !result.err().contains("the Python client needs Python")
                && !result.err().contains("the Python client cannot run");
        assumeTrue(hasPython, "missing: Python 3.10 or newer with venv and a package index: " + result.err());
        assertThat(result.exitCode()).as(result.out() + result.err()).isZero();
        return JSON.readTree(json.toFile());
    }
}
