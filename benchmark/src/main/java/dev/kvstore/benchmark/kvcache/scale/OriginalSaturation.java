package dev.kvstore.benchmark.kvcache.scale;

import java.util.ArrayDeque;
import java.util.Deque;

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

    private final Deque<ReadPoint> history = new ArrayDeque<>();

    private record ReadPoint(double readP95Millis, double gibibytesPerSecond) {}

    /** Adds a sample; the saturation with it, 0 to 1. */
    public double add(double readP95Millis, double gibibytesPerSecond) {
        history.add(new ReadPoint(readP95Millis, gibibytesPerSecond));
        if (history.size() > HISTORY) {
            history.remove();
        }
        if (history.size() < HISTORY) {
            return 0;
        }
        double largest =
                history.stream().mapToDouble(ReadPoint::readP95Millis).max().orElse(0);
        boolean plateau = variation() < STEADY && slope() > 0;
        return Math.min(largest / READ_MILLIS, 1) * (plateau ? 1 : NO_PLATEAU);
    }

    private double variation() {
        double mean = history.stream()
                .mapToDouble(ReadPoint::gibibytesPerSecond)
                .average()
                .orElse(0);
        double squares = history.stream()
                .mapToDouble(point -> (point.gibibytesPerSecond() - mean) * (point.gibibytesPerSecond() - mean))
                .average()
                .orElse(0);
        return Math.sqrt(squares) / (mean + LEAST_BANDWIDTH);
    }

    /** The slope of the line through the latencies, up to a factor above 0. */
    private double slope() {
        double sum = 0;
        int place = 0;
        for (ReadPoint point : history) {
            sum += (place++ - (HISTORY - 1) / 2.0) * point.readP95Millis();
        }
        return sum;
    }
}
