package dev.kvstore.control.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a program that is called postgres and waits. */
class PidFileTest {
    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private Process running(Path data) throws IOException {
        Path program = folder.resolve("postgres");
        Files.copy(Path.of("/bin/sh").toRealPath(), program, StandardCopyOption.COPY_ATTRIBUTES);
        return new ProcessBuilder(program.toString(), "-c", "read end", "-D", data.toString()).start();
    }

    private Path data(String name, String pid) throws IOException {
        Path data = Files.createDirectories(folder.resolve(name));
        Files.writeString(data.resolve("postmaster.pid"), pid + "\n" + data + "\n");
        return data;
    }

    @Test
    void whatWasLeftRunningInTheFolderIsEnded() throws Exception {
        Process left = running(Files.createDirectories(folder.resolve("mine")));
        Path data = data("mine", Long.toString(left.pid()));

        PidFile.endLeftOver(data, Patience.LIMIT);

        assertThat(left.onExit().get().isAlive()).isFalse();
        assertThat(data.resolve("postmaster.pid")).doesNotExist();
    }

    @Test
    void whatRunsInAnotherFolderIsLeftAlone() throws Exception {
        Process other = running(Files.createDirectories(folder.resolve("theirs")));
        try {
            Path data = data("mine", Long.toString(other.pid()));

            PidFile.endLeftOver(data, Patience.LIMIT);

            assertThat(other.isAlive()).isTrue();
            assertThat(data.resolve("postmaster.pid")).doesNotExist();
        } finally {
            other.destroy();
        }
    }

    @Test
    void anotherProgramIsLeftAlone() throws Exception {
        Path data = data("mine", Long.toString(ProcessHandle.current().pid()));

        PidFile.endLeftOver(data, Patience.LIMIT);

        assertThat(data.resolve("postmaster.pid")).doesNotExist();
    }

    @Test
    void aFileThatWasCutShortIsStale() throws Exception {
        for (String cut : new String[] {"", "12x", "99999999999999999999"}) {
            Path data = data("mine", cut);

            PidFile.endLeftOver(data, Patience.LIMIT);

            assertThat(data.resolve("postmaster.pid")).doesNotExist();
        }
    }
}
