package dev.kvstore.benchmark.peers.load;

import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;

/** How a peer is asked. Thread-safe. */
interface Load extends AutoCloseable {
    /** One client: for one thread. */
    interface Caller extends AutoCloseable {
        /**
         * Does the operation once.
         *
         * @param bytes is told of each block's payload as it has arrived, or was acknowledged
         * @throws FlawException if a block is missing, or is not as long as it should be
         */
        void once(LongAdder bytes) throws IOException;

        @Override
        default void close() throws IOException {}
    }

    /** Stores the working set, where that is not done by the server itself. */
    default void stock() {}

    Caller caller(Operation operation) throws IOException;

    /**
     * Asks for the whole working set and compares each byte; of writes, the block that was acknowledged last.
     *
     * @throws FlawException if a block is missing or wrong
     */
    void verify(Operation operation) throws IOException;

    /** After so many bytes a measurement ends early. */
    default long mostBytes(Operation operation) {
        return Long.MAX_VALUE;
    }

    @Override
    void close();
}
