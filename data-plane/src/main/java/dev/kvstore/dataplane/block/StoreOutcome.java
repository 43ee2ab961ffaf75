package dev.kvstore.dataplane.block;

/** The outcome of writing a block. */
public sealed interface StoreOutcome {
    /** The block is stored and durable. */
    record BlockStored() implements StoreOutcome {}

    /**
     * A block of this name is stored, and stays as it is.
     *
     * @param isMaybeOwn whether it may be this very write that stored it, since an answer of storage was lost
     */
    record BlockPresent(int crc32c, int bufferBytes, boolean isMaybeOwn) implements StoreOutcome {}

    /** A newer version stored the block before, in a format that this version does not know. */
    record Unreadable(int version) implements StoreOutcome {}
}
