package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** Commands that drive the Python client: {@code kv demo --client python}. */
class PythonProgramsIT {
    private static final ObjectMapper JSON = new ObjectMapper();

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
