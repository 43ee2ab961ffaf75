package dev.kvstore.dataplane.storage;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A call to storage failed. The message names the blob and the cause, and holds no credential. */
public final class StorageException extends IOException {
    private static final long serialVersionUID = 1;

    /** Says how a caller can react. */
    public enum Kind {
        /** It did not answer, or answered with a passing failure: try again later. */
        UNAVAILABLE,
        /** Storage asks for fewer requests: try again later. */
        THROTTLED,
        /** It refuses the credential, or the credential lacks a right: an admin must act. */
        FORBIDDEN,
        /** The container, or a blob that had to be there, does not exist. */
        MISSING,
        /** Storage has no room left: an admin must act. */
        FULL
    }

    private final Kind kind;

    public StorageException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
