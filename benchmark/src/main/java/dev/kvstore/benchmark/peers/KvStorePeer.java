package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.measure.DataPlaneUse;
import dev.kvstore.benchmark.measure.StoredBlocks;
import dev.kvstore.benchmark.peers.load.LoadMeasurement;
import dev.kvstore.benchmark.peers.load.PeerOperation;
import dev.kvstore.benchmark.peers.load.WorkingSet;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;

/**
 * KV Store with its blocks in DRAM: before each measurement of a read they are all brought there, and that the reads
 * did not go to storage is looked up in the data plane's metrics.
 */
record KvStorePeer(LoadProcess load, PeerDataPlane dataPlane, int blockBytes) implements RunningPeer {
    private static final int PASSES = 5;

    @Override
    public void stock() throws IOException, InterruptedException {
        load.stock();
    }

    @Override
    public LoadMeasurement run(PeerOperation operation, int clients, Duration lead, Duration time)
            throws IOException, InterruptedException {
        if (!operation.writes()) {
            heat();
            Map<String, Double> calls = new TreeMap<>();
            LoadMeasurement measurement =
                    DataPlaneUse.during(this::use, calls, () -> load.run(operation, clients, lead, time));
            DataPlaneUse.requireFew(calls, measurement.bytes() / blockBytes);
            return measurement;
        }
        LoadMeasurement measurement;
        try (Clearing _ = new Clearing(dataPlane.storage(), WorkingSet.WRITTEN, blockBytes, InstantSource.system())) {
            measurement = load.run(operation, clients, lead, time);
        }
        load.verify(operation);
        StoredBlocks.delete(dataPlane.storage(), WorkingSet.WRITTEN);
        return measurement;
    }

    /**
     * Reads everything until that takes nothing from storage any more.
     *
     * @throws IllegalStateException if it still does after several passes
     */
    private void heat() throws IOException, InterruptedException {
        Map<String, Double> calls = new TreeMap<>();
        for (int pass = 0; pass < PASSES; pass++) {
            calls.clear();
            boolean _ = DataPlaneUse.during(this::use, calls, () -> {
                load.verify(PeerOperation.STREAMING_READ);
                return true;
            });
            if (DataPlaneUse.reads(calls) == 0) {
                return;
            }
        }
        DataPlaneUse.requireFew(calls, 0);
    }

    private DataPlaneUse use() {
        return DataPlaneUse.of(dataPlane.metrics());
    }

    @Override
    public void verify(PeerOperation operation) throws IOException, InterruptedException {
        load.verify(operation);
    }
}
