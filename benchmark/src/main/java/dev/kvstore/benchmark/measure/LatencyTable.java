package dev.kvstore.benchmark.measure;

import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import java.util.List;
import java.util.Map;

/** How long several things took, for a report's page. */
public final class LatencyTable {
    private static final List<Column<Map.Entry<String, Latencies.Percentiles>>> COLUMNS = List.of(
            Column.of("", Map.Entry::getKey),
            Column.of("p50", "ms", entry -> entry.getValue().p50Millis()),
            Column.of("p90", "ms", entry -> entry.getValue().p90Millis()),
            Column.of("p99", "ms", entry -> entry.getValue().p99Millis()),
            Column.of("longest", "ms", entry -> entry.getValue().maxMillis()),
            Column.of("how many", entry -> entry.getValue().count()));

    private LatencyTable() {}

    /** @param latencies by what took so long, in this order */
    public static Figure.Table of(String caption, Map<String, Latencies.Percentiles> latencies) {
        return Figure.Table.of(caption, COLUMNS, latencies.entrySet());
    }
}
