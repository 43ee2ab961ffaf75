package dev.kvstore.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class WritablePathTest {
    // Nobody may make files here, not even root.
    private static final Path NOT_WRITABLE = Path.of("/proc");

    @TempDir
    Path folder;

    @Test
    void takesPlacesThatCanBeMadeAndMakesNothing() {
        WritablePath.requireFile("--json", folder.resolve("a/b/report.json"));
        WritablePath.requireFolder("--data", folder.resolve("c/d"));

        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void takesAFileThatIsThereAndLeavesIt() throws Exception {
        Path file = Files.writeString(folder.resolve("report.json"), "old");

        WritablePath.requireFile("--json", file);

        assertThat(file).hasContent("old");
    }

    @Test
    void refusesNoName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WritablePath.requireFile("--json", Path.of("")))
                .withMessage("--json: must name a file");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WritablePath.requireFolder("--data", Path.of("")))
                .withMessage("--data: must name a folder");
    }

    @Test
    void refusesALinkThatWouldBeReplaced() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("target"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> WritablePath.requireFile("--json", link))
                .withMessage("--json: " + link + " is not a regular file");
    }

    @Test
    void refusesAFileWhereAFolderIsNeeded() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> WritablePath.requireFolder("--data", file))
                .withMessage("--data: " + file + " is not a folder");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WritablePath.requireFile("--json", file.resolve("report.json")))
                .withMessage("--json: " + file + " is not a folder");
    }

    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "needs a folder in which nobody may make files, as /proc")
    void refusesWhatCannotBeWritten() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WritablePath.requireFolder("--data", NOT_WRITABLE.resolve("x")))
                .withMessage("--data: /proc/x cannot be written: /proc takes no new files");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WritablePath.requireFile("--json", NOT_WRITABLE.resolve("nope/x.json")))
                .withMessage("--json: /proc/nope/x.json cannot be written: /proc takes no new files");
    }
}
