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
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.dhatim.fastexcel.Workbook;
import org.dhatim.fastexcel.Worksheet;
import org.jspecify.annotations.Nullable;

/** The file of {@code --xlsx-output}: the original's sheets, with its names. Absent figures are empty cells. */
public final class Spreadsheet {
    private static final String NO_TARGETS = "N/A (throughput mode)";

    private final Map<String, @Nullable Object> parameters;
    private final Map<String, @Nullable Object> metrics;
    private final JsonNode summary;
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
        this.summary = results.path("summary");
        this.device = DeviceTrace.of(results.path("device_latency_tracing"));
        this.metrics = new LinkedHashMap<>();
        YamlResource.read(Spreadsheet.class, "metrics.yaml")
                .properties()
                .forEach(metric -> metrics.put(
                        metric.getKey(), value(summary.at(metric.getValue().asText()))));
        this.throughput = throughput;
    }

    private static @Nullable Object value(JsonNode node) {
        return node.isNumber() ? (Object) node.numberValue() : node.isBoolean() ? (Object) node.asBoolean() : null;
    }

    /** Writes an Excel workbook, or with a name that ends in {@code .csv} its first sheet alone as CSV. */
    public void write(Path file) throws IOException {
        if (file.toString().endsWith(".csv")) {
            Files.writeString(
                    file,
                    csv(List.copyOf(all().keySet()))
                            + csv(all().values().stream().map(Spreadsheet::text).toList()));
            return;
        }
        try (OutputStream out = Files.newOutputStream(file);
                Workbook book = new Workbook(out, "kv bench kv-cache", null)) {
            sheet(book, "Summary", List.of(List.copyOf(all().keySet()), nullable(all())));
            pairs(book, "Run Parameters", "Parameter", parameters);
            pairs(book, "Performance Metrics", "Metric", metrics);
            classes(book);
            device(book);
        }
    }

    private Map<String, @Nullable Object> all() {
        Map<String, @Nullable Object> all = new LinkedHashMap<>(parameters);
        all.putAll(metrics);
        return all;
    }

    private static List<@Nullable Object> nullable(Map<String, @Nullable Object> values) {
        return Collections.unmodifiableList(new ArrayList<>(values.values()));
    }

    private static void pairs(Workbook book, String name, String first, Map<String, @Nullable Object> values) {
        List<List<? extends @Nullable Object>> rows = new ArrayList<>();
        rows.add(List.of(first, "Value"));
        values.forEach((key, value) -> rows.add(Arrays.asList(key, value)));
        sheet(book, name, rows);
    }

    private void classes(Workbook book) {
        List<List<? extends @Nullable Object>> rows = new ArrayList<>();
        rows.add(List.of(
                "QoS Level", "Total Requests", "Latency P95 (ms)", "Latency P99 (ms)", "SLA Met", "SLA Compliance"));
        for (QosClass qos : QosClass.values()) {
            JsonNode one = summary.path("qos_metrics").path(qos.toString());
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
        if (device.rows().isEmpty()) {
            return;
        }
        List<List<? extends @Nullable Object>> rows = new ArrayList<>();
        rows.add(List.of("Metric", "Samples", "P50", "P95", "P99", "Min Bucket", "Max Bucket"));
        for (DeviceTrace.HistogramRow row : device.rows()) {
            rows.add(List.of(row.label(), row.samples(), row.p50(), row.p95(), row.p99(), row.least(), row.most()));
        }
        sheet(book, "Device Tracing", rows);
        List<List<? extends @Nullable Object>> buckets = new ArrayList<>();
        buckets.add(List.of("Histogram", "Bucket Low", "Bucket High", "Count"));
        device.histograms()
                .forEach((name, list) -> list.forEach(bucket ->
                        buckets.add(List.of(DeviceTrace.label(name), bucket.from(), bucket.to(), bucket.count()))));
        sheet(book, "Trace Histograms", buckets);
    }

    private static void sheet(Workbook book, String name, List<? extends List<? extends @Nullable Object>> rows) {
        Worksheet sheet = book.newWorksheet(name);
        for (int row = 0; row < rows.size(); row++) {
            for (int column = 0; column < rows.get(row).size(); column++) {
                switch (rows.get(row).get(column)) {
                    case null -> {}
                    case Number number -> sheet.value(row, column, number);
                    case Boolean truth -> sheet.value(row, column, truth);
                    case Object text -> sheet.value(row, column, text.toString());
                }
            }
        }
    }

    private static String text(@Nullable Object value) {
        return value == null ? "" : value.toString();
    }

    private static String csv(List<String> values) {
        return String.join(",", values.stream().map(Spreadsheet::field).toList()) + "\r\n";
    }

    private static String field(String text) {
        return text.matches("[^,\"\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
