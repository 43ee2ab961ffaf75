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
 * A metric as Prometheus sees it. All meters of a program are registered by this, so each has its help text, and the
 * list of metrics is the list of these. Immutable.
 *
 * @param name of Prometheus, which keeps the {@link MetricName rules}
 * @param help at most a few sentences, which end with a full stop
 * @param labels their names; who registers a meter gives a value for each, in this order
 * @param buckets upper bounds of a histogram, in the unit of its name; empty for other types
 */
public record Metric(Type type, String name, String help, List<String> labels, List<Double> buckets) {
    /** The type that Prometheus has for it. */
    public enum Type {
        COUNTER,
        GAUGE,
        HISTOGRAM
    }

    /** A metric that keeps the rules. */
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

    /** Counts by size; Micrometer adds the largest of late as a gauge, whose name ends with {@code _max}. */
    public static Metric histogram(String name, String help, List<Double> buckets, String... labels) {
        return new Metric(Type.HISTOGRAM, name, help, List.of(labels), buckets);
    }

    /** Its name in Micrometer. */
    public String id() {
        return MetricName.id(type, name);
    }

    /** Labels with their values. */
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

    /** A counter to increment. */
    public Counter counter(MeterRegistry registry, String... values) {
        return Counter.builder(id())
                .baseUnit(MetricName.unit(name))
                .description(help)
                .tags(tags(values))
                .register(registry);
    }

    /** A counter that is read. */
    public <T> void counter(MeterRegistry registry, T of, ToDoubleFunction<T> count, String... values) {
        FunctionCounter.builder(id(), of, count)
                .baseUnit(MetricName.unit(name))
                .description(help)
                .tags(tags(values))
                .register(registry);
    }

    /** A gauge that is read; the registry keeps the object. */
    public <T> void gauge(MeterRegistry registry, T of, ToDoubleFunction<T> value, String... values) {
        Gauge.builder(id(), of, value)
                .strongReference(true)
                .baseUnit(MetricName.unit(name))
                .description(help)
                .tags(tags(values))
                .register(registry);
    }

    /** A gauge whose rows come and go. */
    public MultiGauge rows(MeterRegistry registry) {
        return MultiGauge.builder(id())
                .baseUnit(MetricName.unit(name))
                .description(help)
                .register(registry);
    }

    /** A histogram of durations. */
    public Timer timer(MeterRegistry registry, String... values) {
        return Timer.builder(id())
                .description(help)
                .tags(tags(values))
                .serviceLevelObjectives(buckets.stream()
                        .map(seconds -> Duration.ofNanos(Math.round(seconds * 1e9)))
                        .toArray(Duration[]::new))
                .register(registry);
    }

    /** A histogram of sizes. */
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
