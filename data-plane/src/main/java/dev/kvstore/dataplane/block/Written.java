package dev.kvstore.dataplane.block;

/** What came of writing a block. */
public sealed interface Written {
    /** These bytes are stored and durable. */
    record Stored() implements Written {}

    /** It was stored before and stays as it was. */
    record Present(int crc32c, int bufferBytes) implements Written {}

    /** A newer version stored it before, in a format this one does not know. */
    record Unreadable(int version) implements Written {}
}
