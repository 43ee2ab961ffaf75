package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Modules and examples of Terraform against checkov's known bad patterns, but for those of
 * terraform/testing/checkov.yaml.
 */
@Tag("full")
class CheckovIT {
    private static final String PACKAGE = "checkov==3.3.30";
    private static final Path TERRAFORM = Home.current().path().resolve("terraform");
    /**
     * Its parser of HCL knows no argument that is called {@code for}, as alert rules have it:
     * monitoring/main.alerts.tf.
     */
    private static final int UNREADABLE = 1;

    @TempDir
    Path folder;

    @Test
    void findsNothingThatIsNotMeantSo() throws Exception {
        JsonNode report = checkov();

        List<String> found = new ArrayList<>();
        for (JsonNode failed : report.path("results").path("failed_checks")) {
            found.add(failed.path("check_id").asText() + " "
                    + failed.path("check_name").asText() + ": "
                    + failed.path("resource").asText() + " in "
                    + failed.path("file_path").asText());
        }
        assertThat(found)
                .as("mend it, or give the reason in terraform/testing/checkov.yaml")
                .isEmpty();
        assertThat(report.path("summary").path("passed").asInt()).isGreaterThan(200);
        assertThat(report.path("summary").path("parsing_errors").asInt()).isEqualTo(UNREADABLE);
    }

    private JsonNode checkov() throws IOException, InterruptedException {
        Path said = folder.resolve("results_json.json");
        String output = GoTool.run(
                folder,
                Map.of("PYTHONWARNINGS", "ignore"),
                List.of(
                        program().toString(),
                        // One folder: of several, the report has the first alone.
                        "--directory",
                        TERRAFORM.toString(),
                        "--skip-path",
                        "provider",
                        "--framework",
                        "terraform",
                        "--config-file",
                        TERRAFORM.resolve("testing/checkov.yaml").toString(),
                        "--skip-download",
                        "--compact",
                        "--quiet",
                        "--output",
                        "json",
                        "--output-file-path",
                        folder.toString()));
        assertThat(said).as(output).exists();
        JsonNode report = new ObjectMapper().readTree(said.toFile());
        return report.isArray() ? report.get(0) : report;
    }

    /** Installs it where that was not done before; the test is skipped where it cannot be. */
    private static Path program() throws IOException, InterruptedException {
        Path home = Home.current().target().resolve("python-tools").resolve(PACKAGE.replace("==", "-"));
        Path installed = home.resolve("installed");
        if (!Files.exists(installed)) {
            Files.createDirectories(home);
            assumeTrue(GoTool.isOnPath("python3"), "missing: python3, on which checkov runs");
            String made = GoTool.run(home, Map.of(), List.of("python3", "-m", "venv", home.toString()));
            assumeTrue(!made.contains("exit code"), "missing: the module venv of python3: " + made);
            String pip = home.resolve("bin/pip").toString();
            String got = GoTool.run(home, Map.of(), List.of(pip, "install", "--quiet", PACKAGE));
            assumeTrue(!got.contains("exit code"), "missing: " + PACKAGE + " from a Python package index: " + got);
            Files.createFile(installed);
        }
        return home.resolve("bin/checkov");
    }
}
