package dev.kvstore.dataplane.storage;

/** What became of a conditional put. */
public sealed interface Put {
    /** Stored and durable. */
    record Stored(String etag) implements Put {}

    /** The condition did not hold: a blob exists, or is another, or is gone. Nothing changed. */
    record Refused() implements Put {}
}
