package dev.kvstore.dataplane.block;

/** The outcome of writing a block. */
public sealed interface StoreOutcome {
    /** The block is stored and durable. */
    record BlockStored() implements StoreOutcome {}

    /** A block of this name was stored before, and stays as it is. */
    record BlockPresent(int crc32c, int bufferBytes) implements StoreOutcome {}

    /** A newer version stored the block before, in a format that this version does not know. */
    record Unreadable(int version) implements StoreOutcome {}
}
