package dev.kvstore.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.launcher.LaunchException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link ReportFolder}. */
class ReportFolderTest {
    @TempDir
    Path folder;

    @Test
    void hasTheRunInThreeForms() throws Exception {
        write(folder.resolve("new/runs"));

        assertThat(folder.resolve("new/runs")).isDirectoryContaining("glob:**/report.{html,md,json}");
        try (Stream<Path> files = Files.list(folder.resolve("new/runs"))) {
            assertThat(files).hasSize(3);
        }
    }

    @Test
    void theJsonHasTheFiguresAndWhereTheyAreFrom() throws Exception {
        write(folder);

        JsonNode json =
                new ObjectMapper().readTree(folder.resolve("report.json").toFile());
        assertThat(json.at("/report/reads").asInt()).isEqualTo(7);
        assertThat(json.at("/environment/machine/processor").asText()).isEqualTo("AMD EPYC");
        assertThat(json.at("/holds").asBoolean()).isTrue();
    }

    @Test
    void aLaterRunTakesThePlaceOfAnEarlierOne() throws Exception {
        Files.writeString(folder.resolve("report.md"), "earlier");

        write(folder);

        assertThat(folder.resolve("report.md")).content().startsWith("# Load sweep");
    }

    @Test
    void refusesAFileBeforeAnythingIsStarted() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "another's");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReportFolder.of(file))
                .withMessage("--report: " + file + " is not a folder");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReportFolder.of(file.resolve("runs")))
                .withMessage("--report: " + file + " is not a folder");
        assertThat(file).hasContent("another's");
    }

    @Test
    void refusesAPlaceThatTakesNoFiles() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReportFolder.of(Path.of("/proc/runs")))
                .withMessageStartingWith("--report: /proc/runs cannot be written: /proc takes no new files");
    }

    @Test
    void refusesAFolderInTheWayOfAReport() throws Exception {
        Path inTheWay = Files.createDirectory(folder.resolve("report.html"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReportFolder.of(folder))
                .withMessage("--report: " + inTheWay + " is a folder; name a file");
    }

    @Test
    void saysWhatWentWrongIfTheFolderIsLostMeanwhile() throws Exception {
        Path runs = folder.resolve("runs");
        ReportFolder reports = ReportFolder.of(runs);
        Files.writeString(runs, "in the way");

        assertThatExceptionOfType(LaunchException.class)
                .isThrownBy(() -> reports.write(SampleRun.page(), true, Map.of(), SampleRun.environment(0)))
                .withMessage("--report: " + runs + " cannot be written: is there already, and is no folder");
    }

    private static void write(Path folder) {
        ReportFolder.of(folder).write(SampleRun.page(), true, Map.of("reads", 7), SampleRun.environment(0));
    }
}
