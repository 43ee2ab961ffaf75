package dev.kvstore.benchmark.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.launcher.CommandLines;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Where writes are measured. */
class FolderTest {
    private static final Path MEMORY = Path.of("/dev/shm");

    @ParameterizedTest
    @ValueSource(strings = {"/dev/shm", "/dev/shm/kv-limits", "/dev/shm/kv-limits/there"})
    void memoryIsNoDisk(String folder) throws Exception {
        assumeTrue(
                Files.isWritable(MEMORY) && Files.getFileStore(MEMORY).type().equals("tmpfs"),
                "no folder in memory (/dev/shm) on this machine");
        StringWriter err = new StringWriter();

        int exitCode = CommandLines.of(new LimitsCommand())
                .setErr(new PrintWriter(err, true))
                .execute("--folder", folder);

        assertThat(err.toString()).contains("--folder: " + folder + " is in memory (tmpfs); name a folder on a disk");
        assertThat(exitCode).isEqualTo(2);
    }
}
