package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.peers.load.LoadMeasurement;
import dev.kvstore.benchmark.peers.load.PeerOperation;
import java.io.IOException;
import java.time.Duration;

/**
 * A peer that a Java process of ours asks.
 *
 * @param stocking has the server store the working set; nothing where it has it from its start
 */
record JavaPeer(LoadProcess load, Stocking stocking) implements RunningPeer {
    /** Stores a working set. */
    @FunctionalInterface
    interface Stocking {
        void stock() throws IOException, InterruptedException;
    }

    @Override
    public void stock() throws IOException, InterruptedException {
        stocking.stock();
    }

    @Override
    public LoadMeasurement run(PeerOperation operation, int clients, Duration lead, Duration time)
            throws IOException, InterruptedException {
        return load.run(operation, clients, lead, time);
    }

    @Override
    public void verify(PeerOperation operation) throws IOException, InterruptedException {
        load.verify(operation);
    }
}
