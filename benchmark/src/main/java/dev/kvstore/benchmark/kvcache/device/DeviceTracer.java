package dev.kvstore.benchmark.kvcache.device;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.benchmark.kvcache.device.DeviceTrace.HistogramBucket;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A {@code bpftrace} that watches a disk, and the reads and writes of this process. It needs Linux and root. For one
 * thread.
 */
public final class DeviceTracer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long PATIENCE_SECONDS = 30;
    // A trace has about 20 lines of some kilobytes; what is beyond is not ours.
    private static final int MOST_CHARACTERS = 8 * 1024 * 1024;
    private static final int MOST_COMPLAINT = 500;

    private final Process process;
    private final Thread reader;
    private final CountDownLatch attached = new CountDownLatch(1);
    private final Map<String, List<HistogramBucket>> histograms = new ConcurrentHashMap<>();
    private volatile String complaint = "";
    private volatile boolean watches;

    private DeviceTracer(Process process) {
        this.process = process;
        this.reader = Thread.ofVirtual().name("device-trace").start(this::read);
    }

    /**
     * Begins to watch.
     *
     * @param device the disk
     * @throws IOException if the kernel does not let it, or there is no {@code bpftrace}; the message says why
     */
    public static DeviceTracer start(BlockDevice device) throws IOException, InterruptedException {
        return start("bpftrace", device);
    }

    static DeviceTracer start(String program, BlockDevice device) throws IOException, InterruptedException {
        String script;
        try (InputStream in = Objects.requireNonNull(DeviceTracer.class.getResourceAsStream("trace.bt"))) {
            script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        String disk = Long.toString(device.number());
        String self = Long.toString(ProcessHandle.current().pid());
        Process process;
        try {
            process = new ProcessBuilder(program, "-f", "json", "-e", script, disk, self)
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            throw new IOException("there is no bpftrace on the PATH; install it, 0.16 or newer", e);
        }
        DeviceTracer tracer = new DeviceTracer(process);
        if (!tracer.attached.await(PATIENCE_SECONDS, TimeUnit.SECONDS) || !tracer.watches) {
            tracer.close();
            throw new IOException("bpftrace cannot watch the disk; it needs root, and a kernel with tracefs mounted at"
                    + " /sys/kernel/tracing. It says: "
                    + tracer.complaint.strip().replaceAll("\\s+", " "));
        }
        return tracer;
    }

    /**
     * Ends watching.
     *
     * @throws IOException if the figures do not come
     */
    public DeviceTrace end() throws IOException, InterruptedException {
        // It prints its figures at an interrupt alone.
        for (int second = 0; second < PATIENCE_SECONDS && reader.isAlive(); second++) {
            new ProcessBuilder("sh", "-c", "kill -INT " + process.pid()).start().waitFor();
            reader.join(Duration.ofSeconds(1));
        }
        if (reader.isAlive()) {
            throw new IOException("bpftrace does not end; its figures are lost");
        }
        if (histograms.isEmpty()) {
            throw new IOException("bpftrace saw no request of the disk. It says: " + complaint);
        }
        return new DeviceTrace(histograms);
    }

    private void read() {
        int read = 0;
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null && read < MOST_CHARACTERS; line = lines.readLine()) {
                read += line.length();
                take(line);
            }
        } catch (IOException e) {
            complain(String.valueOf(e.getMessage()));
        } finally {
            attached.countDown();
        }
    }

    private void take(String line) {
        try {
            JsonNode data = JSON.readTree(line).path("data");
            if (data.asText().equals("watching")) {
                watches = true;
                attached.countDown();
            }
            for (Map.Entry<String, JsonNode> map : data.properties()) {
                if (map.getKey().startsWith("@") && map.getValue().isArray()) {
                    histograms.put(map.getKey().substring(1), buckets(map.getValue()));
                }
            }
        } catch (JsonProcessingException e) {
            complain(line);
        }
    }

    /** For the reading thread. */
    private void complain(String line) {
        if (complaint.length() < MOST_COMPLAINT) {
            complaint = complaint + line.substring(0, Math.min(line.length(), MOST_COMPLAINT)) + ' ';
        }
    }

    /** The first and the last one may be open to one side. */
    private static List<HistogramBucket> buckets(JsonNode list) {
        List<HistogramBucket> buckets = new ArrayList<>();
        for (JsonNode bucket : list) {
            long from = bucket.path("min").asLong(0);
            long last = bucket.path("max").asLong(from);
            buckets.add(new HistogramBucket(from, last + 1, bucket.path("count").asLong()));
        }
        return buckets;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
