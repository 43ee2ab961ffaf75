package dev.kvstore.dataplane.storage.filesystem;

import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.UUID;

/**
 * An empty folder with a name of its own, by which a store knows its folder again: when a mount goes, another folder is
 * under the same path, or none. Thread-safe.
 */
record PlaceMark(Path path) {
    private static final String PREFIX = "place-";

    /** The mark of a folder, which is made durably if there is none. Processes may make several: each knows its own. */
    static PlaceMark of(Path root, FileOperations operations) throws IOException {
        try (DirectoryStream<Path> marks = Files.newDirectoryStream(root, PREFIX + "*")) {
            Iterator<Path> first = marks.iterator();
            if (first.hasNext()) {
                return new PlaceMark(first.next());
            }
        }
        Path made = root.resolve(PREFIX + UUID.randomUUID());
        operations.createFolders(made);
        operations.force(root);
        return new PlaceMark(made);
    }

    /** Fails unless the folder is in its place. */
    void require(String subject) throws StorageException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new StorageException(
                    Kind.UNAVAILABLE,
                    subject + ": the folder " + path.getParent() + " is gone, or another one is in its place; mount it"
                            + " again, or restart the data plane to use the folder that is there",
                    null);
        }
    }
}
