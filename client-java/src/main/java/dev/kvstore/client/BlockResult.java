package dev.kvstore.client;

import dev.kvstore.protocol.block.Location;

/** The outcome of one block of a streaming read. */
public sealed interface BlockResult {
    /** Position in the list of blocks that was asked for, from 0. */
    int index();

    /**
     * The block. The caller that takes it must close it.
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
     * @param index as {@link BlockResult#index}
     * @param location the block that was asked for
     */
    record Missing(int index, Location location) implements BlockResult {}

    /**
     * This block could not be read; the others are not affected. Its failure is final: the caller may ask for it again
     * in a new read.
     *
     * @param index as {@link BlockResult#index}
     * @param location where it is
     * @param reason {@code DATA_LOSS} if it is damaged, otherwise the error that the server answered for this block
     */
    record Failed(int index, Location location, KvStoreException reason) implements BlockResult {}
}
