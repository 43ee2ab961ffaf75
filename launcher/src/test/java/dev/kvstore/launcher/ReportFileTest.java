package dev.kvstore.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFileTest {
    @TempDir
    Path folder;

    @Test
    void writesTheFileAndMakesItsFolder() {
        Path file = folder.resolve("new/report.json");

        ReportFile.of(file).write("{}");

        assertThat(file).hasContent("{}\n");
    }

    @Test
    void deletesWhatItWrote() {
        Path file = folder.resolve("report.json");
        ReportFile report = ReportFile.of(file);
        report.write("{}");

        report.deleteOwn();

        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void leavesAFileThatItNeverWrote() throws Exception {
        Path file = Files.writeString(folder.resolve("report.json"), "another's");

        ReportFile.of(file).deleteOwn();

        assertThat(file).hasContent("another's");
    }

    @Test
    void leavesAFileThatAnotherWroteSince() throws Exception {
        Path file = folder.resolve("report.json");
        ReportFile report = ReportFile.of(file);
        report.write("{}");
        Files.writeString(file, "another's");

        report.deleteOwn();

        assertThat(file).hasContent("another's");
    }

    @Test
    void isContentWhenTheFileIsGone() throws Exception {
        Path file = folder.resolve("report.json");
        ReportFile report = ReportFile.of(file);
        report.write("{}");
        Files.delete(file);

        report.deleteOwn();

        assertThat(file).doesNotExist();
    }

    @Test
    void doesNothingWithoutAFile() {
        ReportFile report = ReportFile.of(null);

        report.write("{}");
        report.deleteOwn();

        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void refusesAFolderAndLeavesIt() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReportFile.of(folder))
                .withMessage("--json: " + folder + " is a folder; name a file");
        assertThat(folder).isEmptyDirectory();
    }
}
