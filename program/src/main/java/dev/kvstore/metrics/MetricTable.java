package dev.kvstore.metrics;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

/** Writes the list of metrics for readers. Stateless. */
public final class MetricTable {
    private MetricTable() {}

    /** A table in Markdown, by name. */
    public static String markdown(Collection<Metric> metrics) {
        return metrics.stream()
                .sorted(Comparator.comparing(Metric::name))
                .map(MetricTable::row)
                .collect(Collectors.joining("", "| name | type | unit | labels | help |\n|---|---|---|---|---|\n", ""));
    }

    private static String row(Metric metric) {
        return "| `%s` | %s | %s | %s | %s |\n"
                .formatted(
                        metric.name(),
                        metric.type().name().toLowerCase(Locale.ROOT),
                        Objects.requireNonNullElse(MetricName.unit(metric.name()), ""),
                        metric.labels().stream().map(label -> "`" + label + "`").collect(Collectors.joining(", ")),
                        metric.help());
    }
}
