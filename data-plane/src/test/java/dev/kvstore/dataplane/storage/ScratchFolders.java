package dev.kvstore.dataplane.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Folders for tests of thousands of files, which a disk would slow down and has no part in. */
public final class ScratchFolders {
    private static final Path IN_MEMORY = Path.of("/dev/shm");

    private ScratchFolders() {}

    /** A new folder, given by its real path: in memory where the machine has a file system there. */
    public static Path folder(String prefix) {
        try {
            Path folder = Files.isWritable(IN_MEMORY)
                    ? Files.createTempDirectory(IN_MEMORY, prefix)
                    : Files.createTempDirectory(prefix);
            return folder.toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
