package dev.kvstore.dataplane.storage;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/** The files behind blobs of a filesystem store, as another program makes them. */
public final class BlobFiles {
    private BlobFiles() {}

    /** Where a blob's file is. */
    public static Path file(Path root, String name) {
        return root.resolve("blobs").resolve(name + "+");
    }

    /** Replaces a blob by zeros, which take no room. */
    public static void putZeros(Path root, String name, long length) throws IOException {
        Path file = file(root, name);
        Files.createDirectories(file.resolveSibling("."));
        Files.deleteIfExists(file);
        try (RandomAccessFile zeros = new RandomAccessFile(file.toFile(), "rw")) {
            zeros.setLength(length);
        }
    }
}
