package dev.kvstore.dataplane.storage;

import java.util.Objects;

/** The outcome of a conditional put. */
public sealed interface PutResult {
    /** The blob is stored and durable. */
    record Stored(String etag) implements PutResult {
        public Stored {
            Objects.requireNonNull(etag, "stored, but the storage does not say the ETag");
        }
    }

    /**
     * The condition did not hold: a blob of this name exists, or it has another ETag, or is gone.
     *
     * @param isMaybeOwn whether that may be this call's own doing: the answer to one of its tries was lost. If not,
     *     nothing changed
     */
    record ConditionFailed(boolean isMaybeOwn) implements PutResult {
        /** Nothing changed. */
        public ConditionFailed() {
            this(false);
        }
    }
}
