package dev.kvstore.dataplane.storage;

/** What storage says of a blob whose ETag was seen before. */
public sealed interface BlobChange {
    /** It has another ETag now; the receiver of a blob gives its memory back. */
    record Changed(Got got) implements BlobChange {}

    record Unchanged() implements BlobChange {}

    record BlobGone() implements BlobChange {}
}
