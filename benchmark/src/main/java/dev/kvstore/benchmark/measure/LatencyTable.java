package dev.kvstore.benchmark.measure;

import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How long several things took, for a report's page. */
public final class LatencyTable {
    private static final List<String> COLUMNS =
            List.of("", "p50 (ms)", "p90 (ms)", "p99 (ms)", "longest (ms)", "how many");

    private LatencyTable() {}

    /** @param latencies by what took so long, in this order */
    public static Figure.Table of(String caption, Map<String, Latencies.Percentiles> latencies) {
        List<List<String>> rows = new ArrayList<>();
        latencies.forEach((name, latency) -> rows.add(List.of(
                name,
                Numbers.text(latency.p50Millis()),
                Numbers.text(latency.p90Millis()),
                Numbers.text(latency.p99Millis()),
                Numbers.text(latency.maxMillis()),
                Numbers.text(latency.count()))));
        return new Figure.Table(caption, COLUMNS, rows);
    }
}
