package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.peers.load.BadBlockException;
import dev.kvstore.benchmark.peers.load.LoadMeasurement;
import dev.kvstore.benchmark.peers.load.PeerOperation;
import java.io.IOException;
import java.time.Duration;

/** A peer whose server runs, with what asks it. For one thread. */
interface RunningPeer {
    /** Has it store the working set. Before anything else, once. */
    void stock() throws IOException, InterruptedException;

    /**
     * Measures. What was written is verified.
     *
     * @param lead how long clients run before anything counts; programs of others have none
     * @param time how long they are measured; less if there is no more room for the blocks that they write
     * @throws BadBlockException if a block is missing or wrong
     */
    LoadMeasurement run(PeerOperation operation, int clients, Duration lead, Duration time)
            throws IOException, InterruptedException;

    /**
     * Compares each byte of the working set, as it is read by this operation.
     *
     * @throws BadBlockException if a block is missing or wrong
     */
    void verify(PeerOperation operation) throws IOException, InterruptedException;
}
