package dev.kvstore.dataplane.storage;

/** What became of a blob since its ETag was seen. */
public sealed interface Change {
    /** It is another now; the holder gives a blob's memory back. */
    record Changed(Got got) implements Change {}

    record Unchanged() implements Change {}

    record Absent() implements Change {}
}
