package dev.kvstore.benchmark.measure;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/** How long something took, each time; to 3 significant digits, up to an hour. Thread-safe. */
public final class Latencies {
    private final Histogram nanos = new SynchronizedHistogram(TimeUnit.HOURS.toNanos(1), 3);

    /**
     * What is said of them, in milliseconds; all 0 when nothing was measured.
     *
     * @param count how many were measured
     */
    public record Percentiles(long count, double p50Millis, double p90Millis, double p99Millis, double maxMillis) {}

    public void add(long elapsedNanos) {
        nanos.recordValue(Math.clamp(elapsedNanos, 0, nanos.getHighestTrackableValue()));
    }

    public void addSince(long startNanos) {
        add(System.nanoTime() - startNanos);
    }

    public Percentiles percentiles() {
        return new Percentiles(
                nanos.getTotalCount(), millis(50), millis(90), millis(99), nanos.getMaxValue() / 1_000_000.0);
    }

    private double millis(double percentile) {
        return nanos.getTotalCount() == 0 ? 0 : nanos.getValueAtPercentile(percentile) / 1_000_000.0;
    }
}
