package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.measure.StoredBlocks;
import dev.kvstore.benchmark.peers.load.BadBlockException;
import dev.kvstore.benchmark.peers.load.LoadMeasurement;
import dev.kvstore.benchmark.peers.load.PeerOperation;
import dev.kvstore.benchmark.peers.load.WorkingSet;
import dev.kvstore.launcher.stack.Metrics;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;

/**
 * KV Store with its blocks in DRAM: before each measurement of a read they are all brought there, and that the reads
 * did not go to storage is looked up in the data plane's metrics.
 */
final class KvStorePeer implements RunningPeer {
    private static final int PASSES = 5;

    /** Calls that a data plane may make to its storage for its own purposes meanwhile, such as presence. */
    private static final double ITS_OWN = 2;

    /** Most of all reads that may come from storage, as a share. */
    private static final double MOST_FROM_STORAGE = 0.01;

    private final LoadProcess load;
    private final URI metrics;
    private final Path storage;
    private final int blockBytes;

    /** @param metrics the address of the data plane's metrics, which count its calls to storage */
    KvStorePeer(LoadProcess load, URI metrics, PeerSetup place, Path storage) {
        this.load = load;
        this.metrics = metrics;
        this.storage = storage;
        this.blockBytes = place.set().blockBytes();
    }

    @Override
    public void stock() throws IOException, InterruptedException {
        load.stock();
    }

    @Override
    public LoadMeasurement run(PeerOperation operation, int clients, Duration lead, Duration time)
            throws IOException, InterruptedException {
        if (operation.writes()) {
            LoadMeasurement measurement;
            try (Clearing _ = new Clearing(storage, WorkingSet.WRITTEN, blockBytes, InstantSource.system())) {
                measurement = load.run(operation, clients, lead, time);
            }
            load.verify(operation);
            StoredBlocks.delete(storage, WorkingSet.WRITTEN);
            return measurement;
        }
        heat();
        double before = storageReads();
        LoadMeasurement measurement = load.run(operation, clients, lead, time);
        double fromStorage = storageReads() - before;
        long blocks = measurement.bytes() / blockBytes;
        if (fromStorage > ITS_OWN + blocks * MOST_FROM_STORAGE) {
            throw new BadBlockException(
                    "of %d blocks %.0f were read from storage: this is not DRAM".formatted(blocks, fromStorage));
        }
        return measurement;
    }

    /**
     * Reads everything until that takes nothing from storage any more.
     *
     * @throws BadBlockException if it still does after several passes
     */
    private void heat() throws IOException, InterruptedException {
        double before = storageReads();
        double fromStorage = 0;
        for (int pass = 0; pass < PASSES; pass++) {
            load.verify(PeerOperation.STREAMING_READ);
            double after = storageReads();
            fromStorage = after - before;
            if (fromStorage == 0) {
                return;
            }
            before = after;
        }
        if (fromStorage > ITS_OWN) {
            throw new BadBlockException("after %d passes over all blocks %.0f still come from storage: this is not DRAM"
                    .formatted(PASSES, fromStorage));
        }
    }

    private double storageReads() {
        Map<String, Double> calls = Metrics.scrape(metrics).sumsBy("kvstore_storage_calls_total", "operation");
        return calls.getOrDefault("get", 0.0) + calls.getOrDefault("get_range", 0.0);
    }

    @Override
    public void verify(PeerOperation operation) throws IOException, InterruptedException {
        load.verify(operation);
    }
}
