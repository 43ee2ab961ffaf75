package dev.kvstore.dataplane.storage.filesystem;

import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/** Translates failures of the file system into storage exceptions. */
final class FileFailures {
    // The system says this too where inodes have run out, or another writer has made room since.
    private static final String NO_SPACE = "No space left on device";

    private FileFailures() {}

    /** A failure that no lack of room explains. */
    static StorageException of(String subject, IOException cause) {
        Kind kind = cause instanceof AccessDeniedException ? Kind.FORBIDDEN : Kind.UNAVAILABLE;
        return new StorageException(kind, subject + ": " + reason(cause), cause);
    }

    /** A failure while so many bytes were on their way to the disk of this folder. */
    static StorageException ofWriting(String subject, long bytes, Path folder, IOException cause) {
        // The text of an error follows the machine's language; the disk's own figures do not.
        try {
            FileStore disk = Files.getFileStore(folder);
            if (disk.isReadOnly()) {
                return new StorageException(Kind.FORBIDDEN, subject + ": " + folder + " is read-only", cause);
            }
            if (disk.getUsableSpace() < bytes
                    || String.valueOf(cause.getMessage()).contains(NO_SPACE)) {
                return new StorageException(Kind.FULL, subject + ": no room for " + bytes + " bytes more", cause);
            }
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
        return of(subject, cause);
    }

    private static String reason(IOException cause) {
        return cause instanceof AccessDeniedException ? "access denied to " + cause.getMessage() : cause.toString();
    }
}
