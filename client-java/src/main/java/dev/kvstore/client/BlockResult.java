package dev.kvstore.client;

import dev.kvstore.protocol.block.Location;

/** The outcome of one block of a streaming read. */
public sealed interface BlockResult {
    /** The block's position in the requested list of blocks, from 0. */
    int index();

    /**
     * The block. The caller that takes it must close it.
     *
     * @param block the whole, verified block
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
     * @param index see {@link BlockResult#index}
     * @param location the requested block
     */
    record Missing(int index, Location location) implements BlockResult {}

    /**
     * This block could not be read; the others are not affected. Its failure is final: the caller may ask for it again
     * in a new read.
     *
     * @param index see {@link BlockResult#index}
     * @param location the requested block
     * @param reason {@code DATA_LOSS} if the block is damaged, otherwise the error that the server answered for this
     *     block
     */
    record Failed(int index, Location location, KvStoreException reason) implements BlockResult {}
}
