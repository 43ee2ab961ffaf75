package dev.kvstore.client;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The failure of an operation, or of one block of it. The message comes from the server or from the SDK. */
public final class KvStoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * A field of a request that breaks its rule.
     *
     * @param field its name on the wire, such as {@code block_tokens}
     * @param description the rule that the field breaks
     */
    public record FieldViolation(String field, String description) {}

    private final ErrorCode code;
    private final transient List<FieldViolation> violations;
    private final @Nullable Duration retryDelay;

    public KvStoreException(ErrorCode code, String message) {
        this(code, message, List.of(), null);
    }

    public KvStoreException(
            ErrorCode code, String message, List<FieldViolation> violations, @Nullable Duration retryDelay) {
        super(code + ": " + message);
        this.code = code;
        this.violations = List.copyOf(violations);
        this.retryDelay = retryDelay;
    }

    /** The kind of failure; {@code kvstore.proto} explains each code. */
    public ErrorCode code() {
        return code;
    }

    /** The wrong fields; empty unless the code is {@code INVALID_ARGUMENT}. */
    public List<FieldViolation> violations() {
        return violations;
    }

    /** The delay after which the server allows another attempt; null if it named none. */
    public @Nullable Duration retryDelay() {
        return retryDelay;
    }

    /** Whether the same operation may succeed a little later, at the same data plane or another. */
    public boolean retryable() {
        return code == ErrorCode.UNAVAILABLE || code == ErrorCode.RESOURCE_EXHAUSTED;
    }
}
