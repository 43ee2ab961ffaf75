package dev.kvstore.dataplane.storage.filesystem;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;

/**
 * What tells one content of a name from another. An inode number is used again once its file is gone; the time, which
 * {@link TemporaryFiles} sets to the nanosecond, is not.
 *
 * @param size in bytes
 */
record FileVersion(long inode, Instant modified, long size) {
    /** The file that has this path now. */
    static FileVersion of(Path file) throws IOException {
        Map<String, Object> attributes = Files.readAttributes(file, "unix:ino,lastModifiedTime,size");
        return new FileVersion(
                (Long) attribute(attributes, "ino"),
                ((FileTime) attribute(attributes, "lastModifiedTime")).toInstant(),
                (Long) attribute(attributes, "size"));
    }

    private static Object attribute(Map<String, Object> attributes, String name) {
        return Objects.requireNonNull(attributes.get(name), name);
    }

    String etag() {
        return "\"%x-%x.%x-%x\"".formatted(inode, modified.getEpochSecond(), modified.getNano(), size);
    }
}
