package dev.kvstore.dataplane.storage;

/** What storage says of a blob whose ETag was seen before. */
public sealed interface Change {
    /** It has another ETag now; the receiver of a blob gives its memory back. */
    record Changed(Got got) implements Change {}

    record Unchanged() implements Change {}

    record Absent() implements Change {}
}
