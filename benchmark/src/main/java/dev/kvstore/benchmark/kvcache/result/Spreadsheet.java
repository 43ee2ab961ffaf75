package dev.kvstore.benchmark.kvcache.result;

import com.fasterxml.jackson.databind.JsonNode;
import dev.kvstore.benchmark.kvcache.config.QosClass;
import dev.kvstore.benchmark.kvcache.config.YamlResource;
import dev.kvstore.benchmark.kvcache.device.DeviceTrace;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.dhatim.fastexcel.Workbook;
import org.dhatim.fastexcel.Worksheet;
import org.jspecify.annotations.Nullable;

/** The file of {@code --xlsx-output}: the original's sheets, with its names. Absent figures are empty cells. */
public final class Spreadsheet {
    private static final String NO_TARGETS = "N/A (throughput mode)";

    private final Map<String, @Nullable Object> parameters;
    private final Map<String, @Nullable Object> metrics = new LinkedHashMap<>();
    private final Map<String, @Nullable Object> all;
    private final JsonNode classes;
    private final DeviceTrace device;
    private final boolean throughput;

    /**
     * The spreadsheet of a run.
     *
     * @param parameters of the run by the original's names; numbers, texts and truth values
     * @param throughput whether storage is judged by throughput: then the classes' targets are left out
     */
    public Spreadsheet(Map<String, @Nullable Object> parameters, JsonNode results, boolean throughput) {
        this.parameters = new LinkedHashMap<>(parameters);
        YamlResource.read(Spreadsheet.class, "metrics.yaml").properties().forEach(metric -> {
            JsonNode figure = results.path("summary").at(metric.getValue().asText());
            metrics.put(metric.getKey(), value(figure));
        });
        this.all = new LinkedHashMap<>(parameters);
        this.all.putAll(metrics);
        this.classes = results.at("/summary/qos_metrics");
        this.device = DeviceTrace.of(results.path("device_latency_tracing"));
        this.throughput = throughput;
    }

    private static @Nullable Object value(JsonNode node) {
        return node.isNumber() ? (Object) node.numberValue() : node.isBoolean() ? (Object) node.asBoolean() : null;
    }

    /** Writes an Excel workbook, or with a name that ends in {@code .csv} its first sheet alone as CSV. */
    public void write(Path file) throws IOException {
        if (file.toString().endsWith(".csv")) {
            Files.writeString(file, csv(all.keySet()) + csv(all.values()));
            return;
        }
        try (OutputStream out = Files.newOutputStream(file);
                Workbook book = new Workbook(out, "kv bench kv-cache", null)) {
            sheet(book, "Summary", List.of(all.keySet(), all.values()));
            pairs(book, "Run Parameters", "Parameter", parameters);
            pairs(book, "Performance Metrics", "Metric", metrics);
            classes(book);
            if (!device.rows().isEmpty()) {
                device(book);
            }
        }
    }

    private static void pairs(Workbook book, String name, String first, Map<String, @Nullable Object> values) {
        List<Collection<? extends @Nullable Object>> rows = new ArrayList<>();
        rows.add(List.of(first, "Value"));
        values.forEach((key, value) -> rows.add(Arrays.asList(key, value)));
        sheet(book, name, rows);
    }

    private void classes(Workbook book) {
        List<Collection<? extends @Nullable Object>> rows = new ArrayList<>();
        rows.add(List.of(
                "QoS Level", "Total Requests", "Latency P95 (ms)", "Latency P99 (ms)", "SLA Met", "SLA Compliance"));
        for (QosClass qos : QosClass.values()) {
            JsonNode one = classes.path(qos.toString());
            if (one.has("total_requests")) {
                rows.add(Arrays.asList(
                        qos.toString(),
                        value(one.path("total_requests")),
                        value(one.at("/latency_ms/p95")),
                        value(one.at("/latency_ms/p99")),
                        throughput ? NO_TARGETS : value(one.at("/sla/met")),
                        throughput ? NO_TARGETS : value(one.at("/sla/compliance"))));
            }
        }
        if (rows.size() > 1) {
            sheet(book, "QoS Metrics", rows);
        }
    }

    private void device(Workbook book) {
        List<Collection<? extends @Nullable Object>> rows = new ArrayList<>();
        rows.add(List.of("Metric", "Samples", "P50", "P95", "P99", "Min Bucket", "Max Bucket"));
        device.rows()
                .forEach(row -> rows.add(
                        List.of(row.label(), row.samples(), row.p50(), row.p95(), row.p99(), row.least(), row.most())));
        sheet(book, "Device Tracing", rows);
        List<Collection<? extends @Nullable Object>> buckets = new ArrayList<>();
        buckets.add(List.of("Histogram", "Bucket Low", "Bucket High", "Count"));
        device.histograms()
                .forEach((name, list) -> list.forEach(bucket ->
                        buckets.add(List.of(DeviceTrace.label(name), bucket.from(), bucket.to(), bucket.count()))));
        sheet(book, "Trace Histograms", buckets);
    }

    private static void sheet(Workbook book, String name, List<? extends Collection<? extends @Nullable Object>> rows) {
        Worksheet sheet = book.newWorksheet(name);
        for (int row = 0; row < rows.size(); row++) {
            int column = 0;
            for (@Nullable Object cell : rows.get(row)) {
                switch (cell) {
                    case null -> {}
                    case Number number -> sheet.value(row, column, number);
                    case Boolean truth -> sheet.value(row, column, truth);
                    case Object text -> sheet.value(row, column, text.toString());
                }
                column++;
            }
        }
    }

    private static String csv(Collection<? extends @Nullable Object> values) {
        return values.stream()
                .map(value -> value == null ? "" : value.toString())
                .map(text -> text.matches("[^,\"\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"')
                .collect(Collectors.joining(",", "", "\r\n"));
    }
}
