package dev.kvstore.dataplane.storage.filesystem;

import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Says what a failure of the file system means to a caller. */
final class Failures {
    private Failures() {}

    /** A failure that no lack of room explains. */
    static StorageException of(String subject, IOException cause) {
        Kind kind = cause instanceof AccessDeniedException ? Kind.FORBIDDEN : Kind.UNAVAILABLE;
        return new StorageException(kind, subject + ": " + reason(cause), cause);
    }

    /** A failure while so many bytes were on their way to the disk of this folder. */
    static StorageException ofWriting(String subject, long bytes, Path folder, IOException cause) {
        if (isFull(bytes, folder, cause)) {
            return new StorageException(Kind.FULL, subject + ": no room for " + bytes + " bytes more", cause);
        }
        return of(subject, cause);
    }

    // The text of an error follows the machine's language; the room that is left does not.
    private static boolean isFull(long bytes, Path folder, IOException cause) {
        if (String.valueOf(cause.getMessage()).contains("No space left on device")) {
            return true;
        }
        try {
            return Files.getFileStore(folder).getUsableSpace() < bytes;
        } catch (IOException e) {
            cause.addSuppressed(e);
            return false;
        }
    }

    private static String reason(IOException cause) {
        return cause instanceof AccessDeniedException ? "access denied to " + cause.getMessage() : cause.toString();
    }
}
