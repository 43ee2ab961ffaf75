package dev.kvstore.client;

import dev.kvstore.protocol.block.Location;

/** What came of one block of a streaming read. */
public sealed interface BlockResult {
    /** Position in the list of blocks that was asked for, from 0. */
    int index();

    /**
     * The block is here; whoever takes it closes it.
     *
     * @param block whole and verified
     */
    record Found(Block block) implements BlockResult {
        @Override
        public int index() {
            return block.index();
        }
    }

    /**
     * No such block is stored: {@code NOT_FOUND}.
     *
     * @param index which one
     * @param location where it would be
     */
    record Missing(int index, Location location) implements BlockResult {}

    /**
     * This block could not be had; the others are not affected.
     *
     * @param index which one
     * @param location where it is
     * @param reason {@code DATA_LOSS} if it arrived damaged, otherwise what the server said
     */
    record Failed(int index, Location location, KvStoreException reason) implements BlockResult {}
}
