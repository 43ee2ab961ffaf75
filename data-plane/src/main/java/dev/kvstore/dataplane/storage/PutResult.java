package dev.kvstore.dataplane.storage;

import java.util.Objects;

/** The outcome of a conditional put. */
public sealed interface PutResult {
    /** Stored and durable. */
    record Stored(String etag) implements PutResult {
        public Stored {
            Objects.requireNonNull(etag, "stored, but the storage does not say the ETag");
        }
    }

    /** The condition did not hold: a blob of this name exists, or it has another ETag, or is gone. Nothing changed. */
    record ConditionFailed() implements PutResult {}
}
