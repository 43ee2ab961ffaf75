package dev.kvstore.benchmark.measure;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SynchronizedHistogram;

/** How long something took, each time; to 3 significant digits, up to an hour. Thread-safe. */
public final class Latencies {
    private final Histogram nanos = new SynchronizedHistogram(TimeUnit.HOURS.toNanos(1), 3);

    /**
     * Percentiles in milliseconds; all 0 when nothing was measured.
     *
     * @param count how many were measured
     */
    public record Percentiles(long count, double p50Millis, double p90Millis, double p99Millis, double maxMillis) {}

    public void add(long elapsedNanos) {
        nanos.recordValue(Math.clamp(elapsedNanos, 0, nanos.getHighestTrackableValue()));
    }

    public void addSince(long startNanos) {
        add(System.nanoTime() - startNanos);
    }

    /** Adds all that others hold, which must not be added to meanwhile. */
    public void add(Latencies others) {
        nanos.add(others.nanos);
    }

    /** The mean of all latencies; 0 when nothing was measured. */
    public double meanMillis() {
        return nanos.getTotalCount() == 0 ? 0 : nanos.getMean() / 1_000_000.0;
    }

    /** For another process, in JSON: HdrHistogram's compressed encoding, in Base64. */
    @JsonValue
    public String encoded() {
        ByteBuffer buffer = ByteBuffer.allocate(nanos.getNeededByteBufferCapacity());
        int length = nanos.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    /**
     * Decodes the latencies that another process has encoded.
     *
     * @throws IllegalArgumentException if nobody has
     */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Latencies decoded(String encoded) {
        try {
            Latencies latencies = new Latencies();
            latencies.nanos.add(Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(encoded)), 0));
            return latencies;
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("no encoded latencies", e);
        }
    }

    public Percentiles percentiles() {
        return new Percentiles(
                nanos.getTotalCount(), millis(50), millis(90), millis(99), nanos.getMaxValue() / 1_000_000.0);
    }

    /** The percentiles of several, in the order of their names. */
    public static Map<String, Percentiles> percentiles(Map<String, Latencies> byName) {
        Map<String, Percentiles> percentiles = new TreeMap<>();
        byName.forEach((name, latencies) -> percentiles.put(name, latencies.percentiles()));
        return percentiles;
    }

    private double millis(double percentile) {
        return nanos.getTotalCount() == 0 ? 0 : nanos.getValueAtPercentile(percentile) / 1_000_000.0;
    }
}
