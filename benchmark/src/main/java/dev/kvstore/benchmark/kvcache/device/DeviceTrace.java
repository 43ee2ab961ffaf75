package dev.kvstore.benchmark.kvcache.device;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Histograms of one run, by the names of the original: times in microseconds, sizes in KiB, places on the disk in GiB.
 * Immutable.
 */
public record DeviceTrace(Map<String, List<HistogramBucket>> histograms) {
    /** The order of the original's tables, and the words for people. */
    private static final Map<String, String> LABELS = new LinkedHashMap<>();

    static {
        LABELS.put("d2c_read_us", "D2C Read (us)");
        LABELS.put("d2c_write_us", "D2C Write (us)");
        LABELS.put("q2d_read_us", "Q2D Read (us)");
        LABELS.put("q2d_write_us", "Q2D Write (us)");
        LABELS.put("vfs_read_us", "VFS Read (us)");
        LABELS.put("vfs_write_us", "VFS Write (us)");
        LABELS.put("fsync_us", "fsync (us)");
        LABELS.put("write_to_fsync_us", "Write-to-fsync (us)");
        LABELS.put("vfs_read_sz_kb", "VFS Read Size (KiB)");
        LABELS.put("vfs_write_sz_kb", "VFS Write Size (KiB)");
        LABELS.put("bssplit_read_kb", "Block Size Read (KiB)");
        LABELS.put("bssplit_write_kb", "Block Size Write (KiB)");
        LABELS.put("lba_read_gb", "LBA Heatmap Read (GiB)");
        LABELS.put("lba_write_gb", "LBA Heatmap Write (GiB)");
    }

    public DeviceTrace {
        Map<String, List<HistogramBucket>> sorted = new LinkedHashMap<>();
        for (String name : LABELS.keySet()) {
            if (histograms.containsKey(name)) {
                sorted.put(name, List.copyOf(histograms.getOrDefault(name, List.of())));
            }
        }
        histograms = Collections.unmodifiableMap(sorted);
    }

    /**
     * A histogram's bucket: the values from {@code from} up to, but without, {@code to}.
     *
     * @param count the number of values, 0 or more
     */
    public record HistogramBucket(long from, long to, long count) {}

    /** One line of a table. */
    public record HistogramRow(String label, long samples, long p50, long p95, long p99, long least, long most) {}

    /** The name for people of a histogram. */
    public static String label(String name) {
        return LABELS.getOrDefault(name, name);
    }

    /** The buckets of a histogram; none if nothing of its kind happened. */
    List<HistogramBucket> of(String name) {
        return histograms.getOrDefault(name, List.of());
    }

    static long count(List<HistogramBucket> buckets) {
        return buckets.stream().mapToLong(HistogramBucket::count).sum();
    }

    /** A line for each histogram that has values. */
    public List<HistogramRow> rows() {
        return histograms.entrySet().stream()
                .filter(entry -> count(entry.getValue()) > 0)
                .map(entry -> row(label(entry.getKey()), entry.getValue()))
                .toList();
    }

    private static HistogramRow row(String label, List<HistogramBucket> buckets) {
        return new HistogramRow(
                label,
                count(buckets),
                percentile(buckets, 50),
                percentile(buckets, 95),
                percentile(buckets, 99),
                buckets.getFirst().from(),
                buckets.getLast().to());
    }

    /** Where the bucket begins that has this percentile. */
    private static long percentile(List<HistogramBucket> buckets, int percent) {
        long samples = count(buckets);
        long seen = 0;
        for (HistogramBucket bucket : buckets) {
            seen += bucket.count();
            if (100 * seen >= percent * samples) {
                return bucket.from();
            }
        }
        return buckets.getLast().from();
    }

    /** The original's {@code device_latency_tracing}. */
    public ObjectNode json() {
        ObjectNode all = JsonNodeFactory.instance.objectNode();
        histograms.forEach((name, buckets) -> {
            ObjectNode one = all.putObject(name);
            ArrayNode list = one.putArray("buckets");
            ArrayNode raw = one.putArray("raw");
            for (HistogramBucket bucket : buckets) {
                ObjectNode entry = list.addObject();
                entry.putArray("range_us").add(bucket.from()).add(bucket.to());
                entry.put("count", bucket.count());
                raw.add("[" + bucket.from() + ", " + bucket.to() + ") " + bucket.count());
            }
        });
        return all;
    }

    /** Reads what {@link #json} has made. */
    public static DeviceTrace of(JsonNode json) {
        Map<String, List<HistogramBucket>> all = new LinkedHashMap<>();
        json.properties().forEach(entry -> {
            List<HistogramBucket> buckets = new ArrayList<>();
            for (JsonNode bucket : entry.getValue().path("buckets")) {
                JsonNode range = bucket.path("range_us");
                long count = bucket.path("count").asLong();
                buckets.add(new HistogramBucket(
                        range.path(0).asLong(), range.path(1).asLong(), count));
            }
            all.put(entry.getKey(), buckets);
        });
        return new DeviceTrace(all);
    }
}
