package dev.kvstore.dataplane.block;

/** The outcome of writing a block. */
public sealed interface Written {
    /** The block is stored and durable. */
    record Stored() implements Written {}

    /** A block of this name was stored before, and stays as it is. */
    record Present(int crc32c, int bufferBytes) implements Written {}

    /** A newer version stored the block before, in a format that this version does not know. */
    record Unreadable(int version) implements Written {}
}
