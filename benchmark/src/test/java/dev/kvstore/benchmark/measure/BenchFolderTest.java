package dev.kvstore.benchmark.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process deletes the files that a killed process left in a shared folder, and no others. */
final class BenchFolderTest {
    private static final String PREFIX = "kv-test-";

    @TempDir
    Path parent;

    @Test
    void goesWithAllThatIsInIt() throws IOException {
        Path path;
        try (BenchFolder folder = BenchFolder.ofThisProcess(parent, PREFIX)) {
            path = folder.path();
            Files.writeString(Files.createDirectories(path.resolve("a/b")).resolve("file"), "content");
        }

        assertThat(path).doesNotExist();
    }

    @Test
    void takesAwayWhatAProcessLeftThatIsGone() throws Exception {
        Path left = left(ended(), "-1");

        BenchFolder.ofThisProcess(parent, PREFIX).close();

        assertThat(left).doesNotExist();
    }

    @Test
    void leavesWhatAProcessHasThatRuns() throws IOException {
        Path had = left(ProcessHandle.current().pid(), "-1");

        BenchFolder.ofThisProcess(parent, PREFIX).close();

        assertThat(had.resolve("a/file")).exists();
    }

    @Test
    void leavesWhatIsNotNamedLikeItsOwn() throws Exception {
        Path another = Files.createDirectory(parent.resolve("another-" + PREFIX + ended() + "-1"));
        Path without = Files.createDirectory(parent.resolve(PREFIX + "361908074302982549"));

        BenchFolder.ofThisProcess(parent, PREFIX).close();

        assertThat(another).exists();
        assertThat(without).exists();
    }

    private Path left(long pid, String rest) throws IOException {
        Path folder = Files.createDirectories(parent.resolve(PREFIX + pid + rest));
        Files.writeString(Files.createDirectory(folder.resolve("a")).resolve("file"), "content");
        return folder;
    }

    /** The id of a process that has ended. */
    private static long ended() throws Exception {
        Process process = new ProcessBuilder("true").start();
        CompletableFuture<Process> end = process.onExit();
        return end.get().pid();
    }
}
