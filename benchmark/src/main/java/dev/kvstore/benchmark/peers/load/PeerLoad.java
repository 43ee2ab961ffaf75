package dev.kvstore.benchmark.peers.load;

import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;

/** How a peer is asked. Thread-safe. */
interface PeerLoad extends AutoCloseable {
    /** One client: for one thread. */
    interface LoadClient extends AutoCloseable {
        /**
         * Does the operation once.
         *
         * @param bytes is told of each block's payload as it has arrived, or was acknowledged
         * @throws BadBlockException if a block is missing, or is not as long as it should be
         */
        void once(LongAdder bytes) throws IOException;

        @Override
        default void close() throws IOException {}
    }

    /** Stores the working set, where that is not done by the server itself. */
    default void stock() {}

    LoadClient caller(PeerOperation operation) throws IOException;

    /**
     * Asks for the whole working set and compares each byte; of writes, the block that was acknowledged last.
     *
     * @throws BadBlockException if a block is missing or wrong
     */
    void verify(PeerOperation operation) throws IOException;

    /** After so many bytes a measurement ends early. */
    default long mostBytes(PeerOperation operation) {
        return Long.MAX_VALUE;
    }

    @Override
    void close();
}
