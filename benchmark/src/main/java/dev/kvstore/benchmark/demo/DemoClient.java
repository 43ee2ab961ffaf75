package dev.kvstore.benchmark.demo;

import dev.kvstore.benchmark.measure.Prompt;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A client of the service with connections of its own, in whatever language. It writes blocks with the bytes of
 * {@link dev.kvstore.benchmark.measure.Payload}. For one thread.
 */
interface DemoClient extends AutoCloseable {
    /** Makes clients of the demo's tenant, all with one client library. */
    @FunctionalInterface
    interface DemoClients {
        /** A client of one data plane. */
        DemoClient open(String endpoint) throws InterruptedException;
    }

    /** Takes the blocks that are read, on the caller's thread. */
    @FunctionalInterface
    interface ReadBlocks {
        /**
         * @param bytes valid during the call; empty for a block that did not arrive
         * @param why a block did not arrive; empty for one that did
         */
        void take(int index, List<ByteBuffer> bytes, String why);
    }

    /** Hears of each block that the service acknowledged as stored, on any thread. */
    @FunctionalInterface
    interface Acknowledgements {
        /** @param start of {@link System#nanoTime}, when the block was handed over */
        void stored(long start);
    }

    /** How many of the prompt's blocks are stored. */
    int lookup(Prompt prompt) throws InterruptedException;

    /** Reads all blocks of the prompt, in order. */
    void read(Prompt prompt, ReadBlocks blocks) throws InterruptedException;

    /** Writes the prompt's blocks from {@code first} on; returns when each is acknowledged or has failed. */
    void write(Prompt prompt, int first, Acknowledgements blocks) throws InterruptedException;

    /** How many blocks arrived damaged, or were not given back. */
    long flaws() throws InterruptedException;

    @Override
    void close();
}
