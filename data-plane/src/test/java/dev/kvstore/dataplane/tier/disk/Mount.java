package dev.kvstore.dataplane.tier.disk;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small file system in memory, where this user may mount one. */
record Mount(Path folder) implements AutoCloseable {
    static Mount of(Path folder, long bytes) throws IOException {
        Files.createDirectories(folder);
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=" + bytes, "tmpfs", folder.toString()),
                "missing: the right to mount a tmpfs, a disk that can be filled up");
        return new Mount(folder);
    }

    void makeReadOnly() throws IOException {
        if (!run("mount", "-o", "remount,ro", folder.toString())) {
            throw new IOException(folder + ": cannot be made read-only");
        }
    }

    static boolean run(String... command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.onExit().join().exitValue() == 0;
    }

    @Override
    public void close() throws IOException {
        if (!run("umount", "-l", folder.toString())) {
            throw new IOException(folder + ": cannot be unmounted");
        }
    }
}
