package dev.kvstore.dataplane.warming;

import dev.kvstore.dataplane.storage.StorageException;
import java.util.Locale;

/** A failure of one of the two storages. The message is for an admin, and holds no secret. */
final class CopyException extends Exception {
    private static final long serialVersionUID = 1;

    private final StorageException.Kind kind;

    /** @param side which storage, such as {@code source} */
    CopyException(String side, StorageException cause) {
        super(side + " " + cause.kind().name().toLowerCase(Locale.ROOT) + ": " + cause.getMessage(), cause);
        this.kind = cause.kind();
    }

    /** Whether the failure may pass by itself. */
    boolean passes() {
        return kind.passes();
    }
}
