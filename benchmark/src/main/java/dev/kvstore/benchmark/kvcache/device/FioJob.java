package dev.kvstore.benchmark.kvcache.device;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kvstore.benchmark.kvcache.device.DeviceTrace.HistogramBucket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A job file of {@code fio} that sends requests of the sizes, the mix and the depth that were seen. Stateless. */
public final class FioJob {
    private static final double MICROS = 1e6;
    private static final int DEEPEST = 1_024;

    private FioJob() {}

    /**
     * Adds a trace, and the job file if the disk had both reads and writes.
     *
     * @param results of the run, whose counts of whole entries are the mix of the job
     * @param seconds that were watched
     */
    public static void add(ObjectNode results, DeviceTrace trace, double seconds) {
        results.set("device_latency_tracing", trace.json());
        JsonNode stats = results.at("/summary/cache_stats");
        of(trace, stats.path("read_iops").asLong(), stats.path("write_iops").asLong(), seconds)
                .ifPresent(job -> results.put("fio_workload", job));
    }

    /**
     * Makes it.
     *
     * @param reads of the tier, whole entries
     * @param writes of the tier, whole entries
     * @return empty if the disk had no reads or no writes
     */
    static Optional<String> of(DeviceTrace trace, long reads, long writes, double seconds) {
        List<HistogramBucket> readSizes = trace.of("bssplit_read_kb");
        List<HistogramBucket> writeSizes = trace.of("bssplit_write_kb");
        if (DeviceTrace.count(readSizes) == 0 || DeviceTrace.count(writeSizes) == 0 || reads + writes == 0) {
            return Optional.empty();
        }
        // Requests at the disk at a time, on average: their summed time over the time that was watched (Little's law).
        double busy = time(trace.of("d2c_read_us")) + time(trace.of("d2c_write_us"));
        long depth = Math.clamp(Math.round(busy / MICROS / seconds), 1, DEEPEST);
        long mix = Math.round(100.0 * reads / (reads + writes));
        return Optional.of("""
            ; What the disk was asked in a run of kv bench kv-cache; directory and size are yours to set.
            [global]
            ioengine=libaio
            direct=1
            time_based=1
            runtime=60
            directory=.
            size=1g

            [kv-cache]
            rw=randrw
            rwmixread=%d
            bssplit=%s,%s
            iodepth=%d
            """.formatted(mix, shares(readSizes), shares(writeSizes), depth));
    }

    private static double time(List<HistogramBucket> buckets) {
        return buckets.stream()
                .mapToDouble(bucket -> (bucket.from() + bucket.to()) / 2.0 * bucket.count())
                .sum();
    }

    /** Whole percents that add up to 100, the largest size taking what rounding leaves over. */
    private static String shares(List<HistogramBucket> sizes) {
        long all = DeviceTrace.count(sizes);
        List<String> shares = new ArrayList<>();
        long left = 100;
        for (HistogramBucket size : sizes) {
            long percent = Math.round(100.0 * size.count() / all);
            percent = Math.min(percent, left);
            if (percent > 0) {
                left -= percent;
                shares.add(size(Math.max(1, size.from())) + "/" + percent);
            }
        }
        String[] last = shares.removeLast().split("/", 2);
        shares.addLast(last[0] + "/" + (Long.parseLong(last[1]) + left));
        return String.join(":", shares);
    }

    private static String size(long kib) {
        return kib % 1024 == 0 ? kib / 1024 + "m" : kib + "k";
    }
}
