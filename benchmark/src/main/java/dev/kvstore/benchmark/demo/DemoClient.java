package dev.kvstore.benchmark.demo;

import java.nio.ByteBuffer;
import java.util.List;

/** A client of the service with connections of its own, in whatever language. For one thread. */
interface DemoClient extends AutoCloseable {
    /** Takes the blocks that are read, on the caller's thread. */
    interface ReadBlocks {
        /** A block as it arrived; its bytes are valid during the call. */
        void found(int index, List<ByteBuffer> bytes);

        /** A block that did not arrive, and why. */
        void missing(int index, String why);
    }

    /** Makes the blocks that are written. */
    interface WrittenBlocks {
        /** Fills a buffer with the bytes of a block, on the caller's thread. */
        void compute(int index, ByteBuffer buffer);

        /**
         * The service acknowledged a block as stored. Called on any thread.
         *
         * @param start of {@link System#nanoTime}, when the block was handed over
         */
        void stored(int index, long start);
    }

    /** How many of the prompt's blocks are stored. */
    int lookup(DemoPrompt prompt) throws InterruptedException;

    /** Reads all blocks of the prompt, in order. */
    void read(DemoPrompt prompt, ReadBlocks blocks) throws InterruptedException;

    /** Writes the prompt's blocks from {@code first} on; returns when each is acknowledged or has failed. */
    void write(DemoPrompt prompt, int first, WrittenBlocks blocks) throws InterruptedException;

    /** How many blocks arrived damaged, or were not given back. */
    long flaws() throws InterruptedException;

    /** How it finds its data planes, in a few words. */
    String about() throws InterruptedException;

    @Override
    void close();
}
