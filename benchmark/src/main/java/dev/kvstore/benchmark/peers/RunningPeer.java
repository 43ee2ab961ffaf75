package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.peers.load.FlawException;
import dev.kvstore.benchmark.peers.load.Measurement;
import dev.kvstore.benchmark.peers.load.Operation;
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
     * @param time how long they are measured; less if there is no more room for what they write
     * @throws FlawException if a block is missing or wrong
     */
    Measurement run(Operation operation, int clients, Duration lead, Duration time)
            throws IOException, InterruptedException;

    /**
     * Compares each byte of the working set, as it is read by this operation.
     *
     * @throws FlawException if a block is missing or wrong
     */
    void verify(Operation operation) throws IOException, InterruptedException;
}
