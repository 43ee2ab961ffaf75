package dev.kvstore.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/**
 * A metric for Prometheus. All meters of a program are registered by such objects, so each has its help text, and their
 * list is the list of metrics. Immutable.
 *
 * @param name the name in Prometheus, which follows the {@link MetricName rules}
 * @param help at most a few sentences, which end with a full stop
 * @param labels the names of the labels; a meter's registration gives a value for each, in this order
 * @param buckets upper bounds of a histogram, in the unit of its name; empty for other types
 */
public record Metric(Type type, String name, String help, List<String> labels, List<Double> buckets) {
    /** The type of a metric in Prometheus. */
    public enum Type {
        COUNTER,
        GAUGE,
        HISTOGRAM
    }

    /** Makes a metric, whose name, help and labels must follow the rules. */
    public Metric {
        labels = List.copyOf(labels);
        buckets = List.copyOf(buckets);
        List<String> flaws = MetricName.flaws(type, name, help, labels);
        if (!flaws.isEmpty()) {
            throw new IllegalArgumentException(name + ": " + String.join("; ", flaws));
        }
    }

    /** A count that only grows. */
    public static Metric counter(String name, String help, String... labels) {
        return new Metric(Type.COUNTER, name, help, List.of(labels), List.of());
    }

    /** A value that may fall. */
    public static Metric gauge(String name, String help, String... labels) {
        return new Metric(Type.GAUGE, name, help, List.of(labels), List.of());
    }

    /** A count by size; Micrometer adds the largest recent size as a gauge, whose name ends with {@code _max}. */
    public static Metric histogram(String name, String help, List<Double> buckets, String... labels) {
        return new Metric(Type.HISTOGRAM, name, help, List.of(labels), buckets);
    }

    /** The metric's name in Micrometer. */
    public String id() {
        return MetricName.id(type, name);
    }

    /** The labels with their values. */
    public Tags tags(String... values) {
        if (values.length != labels.size()) {
            throw new IllegalArgumentException(name + " has the labels " + labels);
        }
        List<Tag> tags = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            tags.add(Tag.of(labels.get(i), values[i]));
        }
        return Tags.of(tags);
    }

    /** Registers a counter to increment. */
    public Counter counter(MeterRegistry registry, String... values) {
        return Counter.builder(id())
                .baseUnit(MetricName.unit(name))
                .description(help)
                .tags(tags(values))
                .register(registry);
    }

    /** Registers a counter whose value is read from an object. */
    public <T> void counter(MeterRegistry registry, T of, ToDoubleFunction<T> count, String... values) {
        FunctionCounter.builder(id(), of, count)
                .baseUnit(MetricName.unit(name))
                .description(help)
                .tags(tags(values))
                .register(registry);
    }

    /** Registers a gauge whose value is read from an object, which the registry keeps. */
    public <T> void gauge(MeterRegistry registry, T of, ToDoubleFunction<T> value, String... values) {
        Gauge.builder(id(), of, value)
                .strongReference(true)
                .baseUnit(MetricName.unit(name))
                .description(help)
                .tags(tags(values))
                .register(registry);
    }

    /** Registers a gauge whose rows come and go. */
    public MultiGauge rows(MeterRegistry registry) {
        return MultiGauge.builder(id())
                .baseUnit(MetricName.unit(name))
                .description(help)
                .register(registry);
    }

    /** Registers a histogram of durations. */
    public Timer timer(MeterRegistry registry, String... values) {
        return Timer.builder(id())
                .description(help)
                .tags(tags(values))
                .serviceLevelObjectives(buckets.stream()
                        .map(seconds -> Duration.ofNanos(Math.round(seconds * 1e9)))
                        .toArray(Duration[]::new))
                .register(registry);
    }

    /** Registers a histogram of sizes. */
    public DistributionSummary summary(MeterRegistry registry, String... values) {
        return DistributionSummary.builder(id())
                .baseUnit(MetricName.unit(name))
                .description(help)
                .tags(tags(values))
                .serviceLevelObjectives(
                        buckets.stream().flatMapToDouble(DoubleStream::of).toArray())
                .register(registry);
    }
}
