package dev.kvstore.benchmark.kvcache.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How saturated storage is by the original's formula: 0 before ten samples; then the largest 95th percentile of reads
 * over 100 ms, and half of that unless latencies rise while the bandwidth stays. For one thread.
 */
public final class OriginalSaturation {
    private static final int HISTORY = 10;
    private static final double READ_MILLIS = 100;
    private static final double STEADY = 0.1;
    private static final double NO_PLATEAU = 0.5;

    // Keeps the variation finite when nothing moves.
    private static final double LEAST_BANDWIDTH = 0.01;

    private final List<ReadPoint> history = new ArrayList<>();

    private record ReadPoint(double readP95Millis, double bandwidth) {}

    /** Adds a sample; the saturation with it, 0 to 1. */
    public double add(double readP95Millis, double gibibytesPerSecond) {
        history.add(new ReadPoint(readP95Millis, gibibytesPerSecond));
        if (history.size() > HISTORY) {
            history.removeFirst();
        }
        if (history.size() < HISTORY) {
            return 0;
        }
        double largest =
                history.stream().mapToDouble(ReadPoint::readP95Millis).max().orElse(0);
        double mean = mean(ReadPoint::bandwidth);
        double variance = mean(point -> (point.bandwidth - mean) * (point.bandwidth - mean));
        // Of the line through the latencies, up to a factor above 0.
        double slope = 0;
        for (int i = 0; i < HISTORY; i++) {
            slope += (i - (HISTORY - 1) / 2.0) * history.get(i).readP95Millis;
        }
        boolean plateau = Math.sqrt(variance) / (mean + LEAST_BANDWIDTH) < STEADY && slope > 0;
        return Math.min(largest / READ_MILLIS, 1) * (plateau ? 1 : NO_PLATEAU);
    }

    private double mean(ToDoubleFunction<ReadPoint> figure) {
        return history.stream().mapToDouble(figure).average().orElse(0);
    }
}
