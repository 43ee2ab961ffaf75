package dev.kvstore.benchmark.control;

import dev.kvstore.launcher.stack.Metrics;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * How long the control plane took for calls of one method, by its own metrics: from a call's arrival until it is
 * answered.
 *
 * @param meanMillis on average
 * @param p50Millis half took at most so long; between two bounds of the metric it is drawn as a line
 * @param p99Millis 99 of 100 took at most so long
 */
record ServerTimes(double meanMillis, double p50Millis, double p99Millis) {
    private static final String METRIC = "grpc_server_processing_duration_seconds";

    /** The times of the calls of a method between two readings of its metrics. */
    static ServerTimes between(String method, Metrics before, Metrics after) {
        NavigableMap<Double, Double> counts = new TreeMap<>();
        double seconds = add(counts, method, after, 1) + add(counts, method, before, -1);
        double calls = counts.isEmpty() ? 0 : counts.lastEntry().getValue();
        return calls == 0
                ? new ServerTimes(0, 0, 0)
                : new ServerTimes(
                        seconds / calls * 1e3,
                        quantile(counts, calls * 0.50) * 1e3,
                        quantile(counts, calls * 0.99) * 1e3);
    }

    /** Adds the calls that took at most so many seconds, by these; returns the seconds that all took. */
    private static double add(Map<Double, Double> counts, String method, Metrics metrics, int sign) {
        double seconds = 0;
        for (Metrics.MetricSample sample : metrics.samples()) {
            boolean wanted = method.equals(sample.labels().get("method"));
            if (wanted && sample.name().equals(METRIC + "_bucket")) {
                String bound = sample.labels().getOrDefault("le", "+Inf").replace("+Inf", "Infinity");
                counts.merge(Double.valueOf(bound), sign * sample.value(), Double::sum);
            } else if (wanted && sample.name().equals(METRIC + "_sum")) {
                seconds += sign * sample.value();
            }
        }
        return seconds;
    }

    /** Where so many calls have ended, in seconds; the last bound if it is beyond that. */
    private static double quantile(NavigableMap<Double, Double> counts, double calls) {
        double from = 0;
        double below = 0;
        for (Map.Entry<Double, Double> bucket : counts.entrySet()) {
            double until = bucket.getKey();
            if (!Double.isFinite(until)) {
                break;
            }
            if (bucket.getValue() >= calls) {
                return from + (until - from) * (calls - below) / (bucket.getValue() - below);
            }
            from = until;
            below = bucket.getValue();
        }
        return from;
    }
}
