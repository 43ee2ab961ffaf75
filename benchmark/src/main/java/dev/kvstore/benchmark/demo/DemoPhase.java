package dev.kvstore.benchmark.demo;

import dev.kvstore.benchmark.measure.Latencies;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The measurements of one part of the demo. Counters are for one thread, except those of writing, which are
 * thread-safe.
 */
final class DemoPhase {
    /**
     * A phase's figures, with the names that the JSON has.
     *
     * @param lookupStorageCalls storage calls of all data planes while lookups ran
     * @param writeMillis from a turn's first block handed over to its last one acknowledged, all turns together
     * @param restoreMillis from asking to the last block verified, all restores together
     * @param firstBlock from asking to the first block's arrival
     * @param restoredBlock from asking to each block's arrival
     */
    record PhaseFigures(
            String name,
            long lookups,
            long blocksAsked,
            long blocksHit,
            long blocksWritten,
            long bytesWritten,
            long blocksRestored,
            long bytesRestored,
            Latencies.Percentiles lookup,
            Latencies.Percentiles writeAck,
            Latencies.Percentiles firstBlock,
            Latencies.Percentiles restoredBlock,
            double writeMillis,
            double restoreMillis,
            double writeMegabytesPerSecond,
            double restoreMegabytesPerSecond,
            Map<String, Double> lookupStorageCalls,
            Map<String, Double> writeStorageCalls,
            Map<String, Double> restoreStorageCalls,
            double storageCallsPerLookup,
            double storageCallsPerWrittenBlock,
            double storageCallsPerRestoredBlock) {}

    final String name;
    final Latencies lookup = new Latencies();
    final Latencies writeAck = new Latencies();
    final Latencies firstBlock = new Latencies();
    final Latencies restoredBlock = new Latencies();
    final AtomicLong blocksWritten = new AtomicLong();
    final AtomicLong bytesWritten = new AtomicLong();
    final Map<String, Double> lookupCalls = new TreeMap<>();
    final Map<String, Double> writeCalls = new TreeMap<>();
    final Map<String, Double> restoreCalls = new TreeMap<>();
    long lookups;
    long blocksAsked;
    long blocksHit;
    long blocksRestored;
    long bytesRestored;
    long writeNanos;
    long restoreNanos;

    DemoPhase(String name) {
        this.name = name;
    }

    PhaseFigures figures() {
        return new PhaseFigures(
                name,
                lookups,
                blocksAsked,
                blocksHit,
                blocksWritten.get(),
                bytesWritten.get(),
                blocksRestored,
                bytesRestored,
                lookup.percentiles(),
                writeAck.percentiles(),
                firstBlock.percentiles(),
                restoredBlock.percentiles(),
                writeNanos / 1e6,
                restoreNanos / 1e6,
                megabytesPerSecond(bytesWritten.get(), writeNanos),
                megabytesPerSecond(bytesRestored, restoreNanos),
                lookupCalls,
                writeCalls,
                restoreCalls,
                per(lookupCalls, lookups),
                per(writeCalls, blocksWritten.get()),
                per(restoreCalls, blocksRestored));
    }

    // MB are 10^6 bytes: bytes per nanosecond times 1000.
    private static double megabytesPerSecond(long bytes, long nanos) {
        return nanos == 0 ? 0 : bytes * 1e3 / nanos;
    }

    private static double per(Map<String, Double> calls, long count) {
        return count == 0
                ? 0
                : calls.values().stream().mapToDouble(Double::doubleValue).sum() / count;
    }
}
