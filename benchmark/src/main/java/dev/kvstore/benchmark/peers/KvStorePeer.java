package dev.kvstore.benchmark.peers;

import dev.kvstore.benchmark.measure.TemporaryFolder;
import dev.kvstore.benchmark.peers.load.FlawException;
import dev.kvstore.benchmark.peers.load.Measurement;
import dev.kvstore.benchmark.peers.load.Operation;
import dev.kvstore.benchmark.peers.load.WorkingSet;
import dev.kvstore.launcher.stack.Metrics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/**
 * KV Store with its blocks in DRAM: before each measurement of a read they are all brought there, and that the reads did not
 * go to storage is looked up in the data plane's metrics.
 */
final class KvStorePeer implements RunningPeer {
    private static final int PASSES = 5;

    /** What a data plane may ask of its storage for itself meanwhile, such as presence. */
    private static final double ITS_OWN = 2;

    /** Of all reads. */
    private static final double MOST_FROM_STORAGE = 0.01;

    private final LoadProcess load;
    private final URI metrics;
    private final TemporaryFolder storage;
    private final int blockBytes;

    /** @param metrics where the data plane says what it asks of storage */
    KvStorePeer(LoadProcess load, URI metrics, Place place, TemporaryFolder storage) {
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
    public Measurement run(Operation operation, int clients, Duration lead, Duration time)
            throws IOException, InterruptedException {
        if (operation.writes()) {
            Measurement measurement = load.run(operation, clients, lead, time);
            load.verify(operation);
            clear();
            return measurement;
        }
        heat();
        double before = storageReads();
        Measurement measurement = load.run(operation, clients, lead, time);
        double fromStorage = storageReads() - before;
        long blocks = measurement.bytes() / blockBytes;
        if (fromStorage > ITS_OWN + blocks * MOST_FROM_STORAGE) {
            throw new FlawException(
                    "of %d blocks %.0f were read from storage: this is not DRAM".formatted(blocks, fromStorage));
        }
        return measurement;
    }

    /** Reads everything until that takes nothing from storage any more. */
    private void heat() throws IOException, InterruptedException {
        double before = storageReads();
        for (int pass = 0; pass < PASSES; pass++) {
            load.verify(Operation.STREAMING_READ);
            double after = storageReads();
            if (after == before) {
                return;
            }
            before = after;
        }
    }

    /** Makes room. What the data plane itself writes beside the blocks meanwhile may take a second try. */
    private void clear() throws IOException {
        for (int pass = 1; ; pass++) {
            try {
                storage.delete("kv/v1/" + WorkingSet.WRITTEN.root().hex());
                return;
            } catch (IOException | UncheckedIOException e) {
                if (pass == PASSES) {
                    throw e;
                }
            }
        }
    }

    private double storageReads() {
        Map<String, Double> calls = Metrics.scrape(metrics).sumsBy("kvstore_storage_calls_total", "operation");
        return calls.getOrDefault("get", 0.0) + calls.getOrDefault("get_range", 0.0);
    }

    @Override
    public void verify(Operation operation) throws IOException, InterruptedException {
        load.verify(operation);
    }
}
