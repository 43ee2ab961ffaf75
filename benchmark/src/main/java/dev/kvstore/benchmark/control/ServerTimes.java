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
        Histogram histogram = new Histogram(METRIC, Map.of("method", method));
        NavigableMap<Double, Double> counts = histogram.buckets(after);
        histogram.buckets(before).forEach((bound, count) -> counts.merge(bound, -count, Double::sum));
        double calls = histogram.value(after, "_count") - histogram.value(before, "_count");
        if (calls == 0) {
            return new ServerTimes(0, 0, 0);
        }
        double mean = (histogram.value(after, "_sum") - histogram.value(before, "_sum")) / calls;
        return new ServerTimes(mean * 1e3, quantile(counts, calls * 0.50) * 1e3, quantile(counts, calls * 0.99) * 1e3);
    }

    /** Where so many calls have ended, in seconds; the last bound if it is beyond that. */
    private static double quantile(NavigableMap<Double, Double> counts, double calls) {
        double from = 0;
        double below = 0;
        for (Map.Entry<Double, Double> bucket : counts.entrySet()) {
            double until = bucket.getKey();
            if (bucket.getValue() >= calls && Double.isFinite(until)) {
                return from + (until - from) * (calls - below) / (bucket.getValue() - below);
            }
            if (Double.isFinite(until)) {
                from = until;
                below = bucket.getValue();
            }
        }
        return from;
    }

    private record Histogram(String name, Map<String, String> labels) {
        /** How many calls took at most so many seconds. */
        NavigableMap<Double, Double> buckets(Metrics metrics) {
            NavigableMap<Double, Double> counts = new TreeMap<>();
            metrics.samples().stream()
                    .filter(sample -> has(sample, "_bucket"))
                    .forEach(sample -> counts.merge(
                            bound(sample.labels().getOrDefault("le", "+Inf")), sample.value(), Double::sum));
            return counts;
        }

        private static double bound(String text) {
            return text.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
        }

        double value(Metrics metrics, String suffix) {
            return metrics.samples().stream()
                    .filter(sample -> has(sample, suffix))
                    .mapToDouble(Metrics.MetricSample::value)
                    .sum();
        }

        private boolean has(Metrics.MetricSample sample, String suffix) {
            return sample.name().equals(name + suffix)
                    && sample.labels().entrySet().containsAll(labels.entrySet());
        }
    }
}
