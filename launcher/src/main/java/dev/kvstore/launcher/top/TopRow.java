package dev.kvstore.launcher.top;

import dev.kvstore.launcher.stack.Metrics;
import dev.kvstore.launcher.stack.Metrics.MetricSample;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * One data plane between two readings of its metrics. Figures that need something that did not happen are NaN: a hit
 * rate without a read, a fill without a tier.
 *
 * @param lookups lookups that ended well, per second
 * @param hits share of the blocks looked for that were in memory or on disk
 * @param fromStorage bytes per second from storage
 * @param toStorage bytes per second to storage
 * @param memory share of the memory tier that is used
 * @param disk share of the disk tier that is used
 * @param errors calls refused and storage calls failed, per second
 * @param p99 the time within which 99 % of the calls ended, in seconds, by the buckets of the histogram
 */
record TopRow(
        String name,
        double lookups,
        double hits,
        double fromStorage,
        double toStorage,
        double memory,
        double disk,
        double errors,
        double p99) {
    static final String HEAD = "%-22s %10s %6s %11s %11s %7s %6s %9s %8s"
            .formatted(
                    "data plane", "lookups/s", "hits", "GB/s read", "written", "memory", "disk", "errors/s", "p99 ms");

    private static final double PERCENT = 100;
    private static final double GIGA = 1e9;
    private static final double SHARE = 0.99;

    /** @param seconds between the two readings */
    static TopRow between(String name, Metrics before, Metrics now, double seconds) {
        double found = grown(before, now, "kvstore_memory_tier_hits_total")
                + grown(before, now, "kvstore_disk_tier_hits_total");
        double sought = grown(before, now, "kvstore_memory_tier_hits_total")
                + grown(before, now, "kvstore_memory_tier_misses_total");
        return new TopRow(
                name,
                difference(before, now, TopRow::lookups) / seconds,
                found / sought,
                difference(before, now, metrics -> moved(metrics, "read")) / seconds,
                difference(before, now, metrics -> moved(metrics, "written")) / seconds,
                now.sum("kvstore_memory_tier_used_bytes") / now.sum("kvstore_memory_tier_limit_bytes"),
                now.sum("kvstore_disk_tier_used_bytes") / now.sum("kvstore_disk_tier_limit_bytes"),
                (grown(before, now, "kvstore_operations_refused_total")
                                + grown(before, now, "kvstore_storage_errors_total"))
                        / seconds,
                p99(before, now));
    }

    private static double grown(Metrics before, Metrics now, String counter) {
        return difference(before, now, metrics -> metrics.sum(counter));
    }

    /** Never below 0, as after a restart of the process. */
    private static double difference(Metrics before, Metrics now, ToDoubleFunction<Metrics> figure) {
        return Math.max(0, figure.applyAsDouble(now) - figure.applyAsDouble(before));
    }

    private static double lookups(Metrics metrics) {
        return metrics.sumsBy("kvstore_call_duration_seconds_count", "method").entrySet().stream()
                .filter(method -> method.getKey().startsWith("lookup"))
                .mapToDouble(Map.Entry::getValue)
                .sum();
    }

    private static double moved(Metrics metrics, String direction) {
        return metrics.sumsBy("kvstore_storage_bytes_total", "direction").getOrDefault(direction, 0.0);
    }

    /** The upper end of the bucket that has the 99th of 100 calls. */
    private static double p99(Metrics before, Metrics now) {
        NavigableMap<Double, Double> buckets = buckets(now);
        buckets(before).forEach((end, calls) -> buckets.merge(end, -calls, Double::sum));
        double all = buckets.isEmpty() ? 0 : buckets.lastEntry().getValue();
        return all <= 0
                ? Double.NaN
                : buckets.entrySet().stream()
                        .filter(bucket -> bucket.getValue() >= SHARE * all)
                        .mapToDouble(Map.Entry::getKey)
                        .findFirst()
                        .orElse(Double.POSITIVE_INFINITY);
    }

    /** Calls of all methods that took as long or less, by seconds. */
    private static NavigableMap<Double, Double> buckets(Metrics metrics) {
        NavigableMap<Double, Double> buckets = new TreeMap<>();
        for (MetricSample sample : metrics.samples()) {
            if (sample.name().equals("kvstore_call_duration_seconds_bucket")) {
                String end = sample.labels().getOrDefault("le", "+Inf");
                buckets.merge(
                        end.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(end),
                        sample.value(),
                        Double::sum);
            }
        }
        return buckets;
    }

    /** The row of the table; a figure that is not there is a dash. */
    String line() {
        return "%-22s %10s %6s %11s %11s %7s %6s %9s %8s"
                .formatted(
                        name,
                        figure("%.0f", lookups),
                        figure("%.0f%%", hits * PERCENT),
                        figure("%.3f", fromStorage / GIGA),
                        figure("%.3f", toStorage / GIGA),
                        figure("%.0f%%", memory * PERCENT),
                        figure("%.0f%%", disk * PERCENT),
                        figure("%.1f", errors),
                        figure("%.1f", p99 * 1_000));
    }

    private static String figure(String format, double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        return Double.isInfinite(value) ? "> all" : String.format(Locale.ROOT, format, value);
    }
}
