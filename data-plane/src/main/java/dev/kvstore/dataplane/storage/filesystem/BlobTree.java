package dev.kvstore.dataplane.storage.filesystem;

import dev.kvstore.dataplane.storage.BlobName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Where blobs are: a segment of a name is a folder, the last one a file with '+' behind it. So "a" and "a/b" may both
 * be there, and '+' being in no name, nothing else is taken for a blob.
 */
record BlobTree(Path root, FileOperations operations) {
    private static final char FILE_MARK = '+';

    /** The tree below a folder, which is created if missing, durably. */
    static BlobTree open(Path root, FileOperations operations) throws IOException {
        operations.createFolders(root);
        operations.force(Objects.requireNonNull(root.getParent()));
        return new BlobTree(root, operations);
    }

    /** The file of a blob. */
    Path file(String name) {
        return root.resolve(BlobName.require(name) + FILE_MARK);
    }

    /** The folder of names that begin with this; '/' is its last character, unless it is empty. */
    Path folder(String prefix) {
        return root.resolve(prefix);
    }

    /** Whether this is a blob's file, not a folder. */
    static boolean isBlob(Path path) {
        return path.toString().charAt(path.toString().length() - 1) == FILE_MARK;
    }

    /** The last segment of a blob's name, or of a folder's followed by '/'. */
    static String segment(Path path, boolean folder) {
        String name = Objects.requireNonNull(path.getFileName()).toString();
        return folder ? name + '/' : name.substring(0, name.length() - 1);
    }

    void createFolders(Path file) throws IOException {
        operations.createFolders(Objects.requireNonNull(file.getParent()));
    }

    /**
     * Makes a file's name as durable as its content is, and every folder above it: another process may have created
     * them a moment ago. Costs next to nothing where nothing changed.
     */
    void makeDurable(Path file) throws IOException {
        for (Path path = file; !path.equals(root); ) {
            path = Objects.requireNonNull(path.getParent());
            operations.force(path);
        }
    }
}
