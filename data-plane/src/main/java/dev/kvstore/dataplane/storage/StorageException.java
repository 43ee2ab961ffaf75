package dev.kvstore.dataplane.storage;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A call to storage failed. The message names the blob and the cause, and holds no credential. */
public final class StorageException extends IOException {
    private static final long serialVersionUID = 1;

    /** Says how a caller can react. */
    public enum Kind {
        /** Storage did not answer, or answered with a passing failure: try again later. */
        UNAVAILABLE,
        /** Storage asks for fewer requests: try again later. */
        THROTTLED,
        /** Storage refuses the credential, or the credential lacks a right: an admin must act. */
        FORBIDDEN,
        /** The container, or a blob that had to be there, does not exist. */
        MISSING,
        /** Storage has no room left: an admin must act. */
        FULL,
        /**
         * Storage refuses the call whoever makes it, and will until an admin acts: a legal hold, a retention policy, a
         * lease or a snapshot keeps the blob, or the account is disabled.
         */
        HELD;

        /** Whether such a failure may pass by itself. */
        public boolean passes() {
            return switch (this) {
                case UNAVAILABLE, THROTTLED -> true;
                case FORBIDDEN, MISSING, FULL, HELD -> false;
            };
        }
    }

    private final Kind kind;
    private final @Nullable String remedy;
    private final boolean isAfterLostAnswer;

    public StorageException(Kind kind, String message, @Nullable Throwable cause) {
        this(kind, message, null, false, cause);
    }

    private StorageException(
            Kind kind, String message, @Nullable String remedy, boolean isAfterLostAnswer, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.remedy = remedy;
        this.isAfterLostAnswer = isAfterLostAnswer;
    }

    /**
     * A failure of kind {@code HELD}.
     *
     * @param subject the subject of the call
     * @param remedy why storage refuses, and what an admin must change; follows "the storage of NAME", and names no
     *     blob
     */
    public static StorageException held(String subject, String remedy) {
        return new StorageException(Kind.HELD, subject + ": storage " + remedy, remedy, false, null);
    }

    /**
     * A failure of kind {@code FORBIDDEN}.
     *
     * @param subject the subject of the call, and the answer
     * @param reason why the credential is refused, and the remedy; follows "the service's credential: "
     */
    public static StorageException forbidden(String subject, String reason) {
        return new StorageException(Kind.FORBIDDEN, subject + ": " + reason, reason, false, null);
    }

    /** The same failure of a later call, which was not made. */
    public StorageException again() {
        return new StorageException(kind, String.valueOf(getMessage()), remedy, false, null);
    }

    /** The same failure of a call of which the answer to an earlier try was lost: {@link #isMaybeDone}. */
    public StorageException afterLostAnswer() {
        return new StorageException(kind, String.valueOf(getMessage()), remedy, true, getCause());
    }

    /** Whether storage may have carried out the call. */
    public boolean isMaybeDone() {
        return kind == Kind.UNAVAILABLE || isAfterLostAnswer;
    }

    public Kind kind() {
        return kind;
    }

    /** Why storage refuses, and what an admin must change; null if the kind says all. */
    public @Nullable String remedy() {
        return remedy;
    }
}
