package dev.kvstore.dataplane.storage.filesystem;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.kvstore.dataplane.storage.BlobName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The files of blobs: a segment of a name is a folder, the last one a file with '+' behind it. So "a" and "a/b" may
 * both be there, and '+' being in no name, nothing else is taken for a blob.
 */
record BlobTree(Path root, FileOperations operations, Cache<Path, Boolean> durable) {
    private static final char FILE_MARK = '+';

    /** Folders of which it is remembered that their names are durable; about 300 bytes of heap each. */
    private static final int REMEMBERED = 16_384;

    /** The tree below a folder that is there. */
    BlobTree(Path root, FileOperations operations) {
        this(root, operations, Caffeine.newBuilder().maximumSize(REMEMBERED).build());
    }

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

    /** The name of a file or folder within its folder. */
    static String fileName(Path path) {
        return Objects.requireNonNull(path.getFileName()).toString();
    }

    /** Whether a file of this name is a blob's, and not a folder. */
    static boolean isBlob(String file) {
        return file.charAt(file.length() - 1) == FILE_MARK;
    }

    /** The last segment of a blob's name, or of a folder's followed by '/'. */
    static String segment(String file, boolean folder) {
        return folder ? file + '/' : file.substring(0, file.length() - 1);
    }

    /** Creates the folder of a blob's file, and those above it, where they are missing. */
    void createFolders(Path file) throws IOException {
        Path folder = above(file);
        if (Files.isDirectory(folder)) {
            return;
        }
        for (Path path = folder; !path.equals(root) && !Files.isDirectory(path); path = above(path)) {
            // The folder may have been there before, and somebody removed it.
            durable.invalidate(path);
        }
        operations.createFolders(folder);
    }

    /**
     * Makes a file's name as durable as its content is, and the name of every folder above it: another process may have
     * created them a moment ago. A folder's name stays durable, so that it is forced once; forcing an unchanged folder
     * may still cost a flush of the disk.
     */
    void makeDurable(Path file) throws IOException {
        Path folder = above(file);
        operations.force(folder);
        List<Path> forced = new ArrayList<>();
        for (Path path = folder; !path.equals(root) && durable.getIfPresent(path) == null; path = above(path)) {
            operations.force(above(path));
            forced.add(path);
        }
        // The folders above come first: a thread that finds one here looks no further.
        forced.forEach(path -> durable.put(path, Boolean.TRUE));
    }

    private static Path above(Path path) {
        return Objects.requireNonNull(path.getParent());
    }
}
