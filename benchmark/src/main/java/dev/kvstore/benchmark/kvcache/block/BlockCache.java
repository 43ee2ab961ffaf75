package dev.kvstore.benchmark.kvcache.block;

import dev.kvstore.benchmark.kvcache.tier.Scratch;
import java.io.IOException;

/** Where blocks are. Thread-safe. */
public interface BlockCache extends AutoCloseable {
    /**
     * How many blocks of a prompt are there, from the first.
     *
     * @throws IOException if that cannot be told, or blocks are missing that were stored for good
     */
    int lookup(BlockPrompt prompt) throws IOException;

    /**
     * Reads the first blocks of a prompt, which {@link #lookup} found.
     *
     * @param blocks how many, 1 or more
     * @return how many were there still, from the first
     */
    int read(BlockPrompt prompt, int blocks, Scratch memory) throws IOException;

    /**
     * Writes the blocks of a prompt, beginning with one of them. A block that is stored already is not written again.
     */
    void write(BlockPrompt prompt, int first, Scratch memory) throws IOException, InterruptedException;

    @Override
    default void close() throws IOException {}
}
