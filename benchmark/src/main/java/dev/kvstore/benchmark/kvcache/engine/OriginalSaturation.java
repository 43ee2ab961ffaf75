package dev.kvstore.benchmark.kvcache.engine;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How saturated storage is by the original's formula: 0 before ten samples; then the largest 95th percentile of reads
 * over 100 ms, and half of that unless latencies rise while the bandwidth stays. For one thread.
 */
final class OriginalSaturation {
    private static final int HISTORY = 10;
    private static final double READ_MILLIS = 100;
    private static final double STEADY = 0.1;
    private static final double NO_PLATEAU = 0.5;
    // Keeps the variation finite when nothing moves.
    private static final double LEAST_BANDWIDTH = 0.01;

    private final Deque<ReadPoint> history = new ArrayDeque<>();

    private record ReadPoint(double readP95Millis, double bandwidth) {}

    /** Adds a sample; the saturation with it, 0 to 1. */
    double add(double readP95Millis, double gibibytesPerSecond) {
        history.add(new ReadPoint(readP95Millis, gibibytesPerSecond));
        if (history.size() > HISTORY) {
            history.remove();
        }
        if (history.size() < HISTORY) {
            return 0;
        }
        double mean =
                history.stream().mapToDouble(ReadPoint::bandwidth).average().orElse(0);
        double squares = 0;
        double largest = 0;
        // Of the line through the latencies, up to a factor above 0.
        double slope = 0;
        double place = -(HISTORY - 1) / 2.0;
        for (ReadPoint point : history) {
            squares += (point.bandwidth - mean) * (point.bandwidth - mean);
            largest = Math.max(largest, point.readP95Millis);
            slope += place++ * point.readP95Millis;
        }
        boolean plateau = Math.sqrt(squares / HISTORY) / (mean + LEAST_BANDWIDTH) < STEADY && slope > 0;
        return Math.min(largest / READ_MILLIS, 1) * (plateau ? 1 : NO_PLATEAU);
    }
}
