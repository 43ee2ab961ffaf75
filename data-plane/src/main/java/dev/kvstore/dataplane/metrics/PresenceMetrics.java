package dev.kvstore.dataplane.metrics;

import static dev.kvstore.metrics.Metric.counter;
import static dev.kvstore.metrics.Metric.histogram;

import dev.kvstore.metrics.Metric;
import java.util.List;

/** Metrics of a data plane's knowledge of blocks that it has not read, and of other regions' storage. */
public final class PresenceMetrics {
    private static final List<Double> CHECKS = List.of(1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0);
    private static final List<Double> AGES = List.of(0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0);

    public static final Metric CHECKS_MADE =
            counter("kvstore_presence_checks_total", "Existence checks in storage on behalf of lookups.");

    public static final Metric CHECKS_PER_LOOKUP =
            histogram("kvstore_presence_checks_per_lookup", "Existence checks in storage that a lookup cost.", CHECKS);

    public static final Metric FALSE_POSITIVES = counter(
            "kvstore_presence_false_positives_total",
            "Existence checks that storage denied although a filter had said maybe. Divided by"
                    + " kvstore_presence_checks_total, the measured rate.");

    public static final Metric FILTER_AGE = histogram(
            "kvstore_presence_filter_age_seconds", "Age of the knowledge that lookups were answered from.", AGES);

    public static final Metric LOAD_DURATION = histogram(
            "kvstore_presence_load_duration_seconds",
            "How long it took to learn of a partition for the first time.",
            StorageMetrics.DURATIONS);

    public static final Metric REBUILDS = counter(
            "kvstore_presence_rebuilds_total",
            "Partitions listed anew, after a process died or too much had been disproved.");

    public static final Metric READ_THROUGH_CALLS = counter(
            "kvstore_read_through_calls_total",
            "Calls that missed here and asked the storage of another region. call is lookup or read; outcome is found,"
                    + " nothing, late, failed, paused (not asked, as that had failed too often of late) or busy (not"
                    + " asked, as too many such calls were under way).",
            "call",
            "outcome");

    public static final Metric READ_THROUGH_BYTES = counter(
            "kvstore_read_through_bytes_total", "Bytes of blocks that came from the storage of another region.");

    public static final Metric READ_THROUGH_FILLS = counter(
            "kvstore_read_through_fills_total",
            "Blocks from another region that were to be stored here. outcome is stored, present, failed or skipped (too"
                    + " many waited).",
            "outcome");

    static final List<Metric> ALL = List.of(
            CHECKS_MADE,
            CHECKS_PER_LOOKUP,
            FALSE_POSITIVES,
            FILTER_AGE,
            LOAD_DURATION,
            REBUILDS,
            READ_THROUGH_CALLS,
            READ_THROUGH_BYTES,
            READ_THROUGH_FILLS);

    private PresenceMetrics() {}
}
