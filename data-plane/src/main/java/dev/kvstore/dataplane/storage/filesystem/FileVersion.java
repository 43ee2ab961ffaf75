package dev.kvstore.dataplane.storage.filesystem;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes one content of a name from another. An inode number is used again once its file is gone; the time,
 * which {@link TemporaryFiles} sets to the nanosecond, is not.
 *
 * @param size in bytes
 */
record FileVersion(long inode, Instant modified, long size) {
    /**
     * The file that has this path now.
     *
     * @throws java.nio.file.NoSuchFileException if there is none
     * @throws FileSystemException if it is anything but a regular file: to open a pipe or a device may take for ever,
     *     and the target of a link is not ours to read, or to remove
     */
    static FileVersion of(Path file) throws IOException {
        Map<String, Object> attributes =
                Files.readAttributes(file, "unix:ino,lastModifiedTime,size,isRegularFile", LinkOption.NOFOLLOW_LINKS);
        if (!(Boolean) attribute(attributes, "isRegularFile")) {
            throw new FileSystemException(file.toString(), null, "is not a regular file; remove it");
        }
        return new FileVersion(
                (Long) attribute(attributes, "ino"),
                ((FileTime) attribute(attributes, "lastModifiedTime")).toInstant(),
                (Long) attribute(attributes, "size"));
    }

    /** The file that has this path now, or null if there is none. */
    static @Nullable FileVersion find(Path file) throws IOException {
        try {
            return of(file);
        } catch (NoSuchFileException e) {
            return null;
        }
    }

    private static Object attribute(Map<String, Object> attributes, String name) {
        return Objects.requireNonNull(attributes.get(name), name);
    }

    String etag() {
        return "\"%x-%x.%x-%x\"".formatted(inode, modified.getEpochSecond(), modified.getNano(), size);
    }
}
