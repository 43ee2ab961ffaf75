package dev.kvstore.dataplane.storage;

/** The answer of storage about a blob whose ETag was seen before. */
public sealed interface BlobChange {
    /** The blob has another ETag now; the receiver of a blob gives its memory back. */
    record Changed(Got got) implements BlobChange {}

    record Unchanged() implements BlobChange {}

    record BlobGone() implements BlobChange {}
}
