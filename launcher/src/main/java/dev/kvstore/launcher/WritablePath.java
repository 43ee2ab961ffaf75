package dev.kvstore.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Checks that a path of a flag can be written, before any program is started for it. Leaves no files behind. */
public final class WritablePath {
    private WritablePath() {}

    /**
     * Checks that a file can be made or replaced. Makes the file's folder if it is missing.
     *
     * @throws IllegalArgumentException if it cannot; the message begins with the flag
     */
    public static void requireFile(String flag, Path file) {
        if (file.toString().isBlank()) {
            throw new IllegalArgumentException(flag + ": must name a file");
        }
        if (Files.isDirectory(file)) {
            throw new IllegalArgumentException(flag + ": " + file + " is a folder; name a file");
        }
        // A link or a device would be replaced, not written through.
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IllegalArgumentException(flag + ": " + file + " is not a regular file");
        }
        requireEntries(flag, file, file.toAbsolutePath().normalize().getParent());
    }

    /**
     * Checks that files can be put into a folder. Makes the folder if it is missing.
     *
     * @throws IllegalArgumentException if they cannot; the message begins with the flag
     */
    public static void requireFolder(String flag, Path folder) {
        if (folder.toString().isBlank()) {
            throw new IllegalArgumentException(flag + ": must name a folder");
        }
        requireEntries(flag, folder, folder.toAbsolutePath().normalize());
    }

    /**
     * Makes and deletes a file in the folder, or in the nearest existing one above it: permissions alone tell little.
     */
    private static void requireEntries(String flag, Path named, @Nullable Path folder) {
        @Nullable Path existing = folder;
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        if (existing == null || !Files.isDirectory(existing)) {
            throw new IllegalArgumentException(flag + ": " + existing + " is not a folder");
        }
        try {
            Files.delete(Files.createTempFile(existing, ".kv", ".tmp"));
        } catch (IOException e) {
            // For a folder that exists, the reason "no such file" is misleading.
            String reason = e instanceof NoSuchFileException ? "" : " (" + IoReason.of(e) + ")";
            throw new IllegalArgumentException(
                    flag + ": " + named + " cannot be written: " + existing + " takes no new files" + reason, e);
        }
    }
}
