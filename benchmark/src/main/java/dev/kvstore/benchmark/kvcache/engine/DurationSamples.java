package dev.kvstore.benchmark.kvcache.engine;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Samples of a duration, in seconds: all of them up to two million, beyond it as many chosen at random. The statistics
 * are those of numpy that the original reports, rounded alike. Thread-safe.
 */
public final class DurationSamples {
    private static final int MOST = 2_000_000;
    private static final int UNROLLED = 8;
    private static final int BLOCK = 128;

    private final SplittableRandom random = new SplittableRandom(1);
    private double[] values = new double[64];
    private int kept;
    private long count;
    private double sum;

    public synchronized void add(double seconds) {
        count++;
        sum += seconds;
        if (kept < MOST) {
            if (kept == values.length) {
                values = Arrays.copyOf(values, Math.min(MOST, 2 * kept));
            }
            values[kept++] = seconds;
            return;
        }
        long place = random.nextLong(count);
        if (place < MOST) {
            values[(int) place] = seconds;
        }
    }

    /** How many were added. */
    public synchronized long count() {
        return count;
    }

    /** The sum of all samples, in seconds. */
    public synchronized double sum() {
        return sum;
    }

    /** The samples that were kept, in the order of adding. */
    public synchronized double[] values() {
        return Arrays.copyOf(values, kept);
    }

    /**
     * The samples that were added after the first {@code before} ones, as long as all are kept; otherwise all kept
     * samples.
     */
    public synchronized double[] since(long before) {
        return count > kept || before > kept ? values() : Arrays.copyOfRange(values, (int) before, kept);
    }

    /** The percentile (0 to 100) of the samples; NaN without samples. */
    public double percentile(double percentile) {
        return percentile(values(), percentile);
    }

    /**
     * {@code numpy.percentile} with its usual linear interpolation; NaN without values.
     *
     * @param percentile 0 to 100
     */
    public static double percentile(double[] values, double percentile) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int last = sorted.length - 1;
        if (last < 0) {
            return Double.NaN;
        }
        double position = last * (percentile / 100);
        int below = (int) Math.floor(position);
        if (below >= last) {
            return sorted[last];
        }
        double share = position - below;
        double difference = sorted[below + 1] - sorted[below];
        return share >= 0.5 ? sorted[below + 1] - difference * (1 - share) : sorted[below] + difference * share;
    }

    /** {@code numpy.mean}, NaN without values: numpy adds pairwise, which rounds unlike a plain loop. */
    public static double mean(double[] values) {
        return values.length == 0 ? Double.NaN : sum(values, 0, values.length) / values.length;
    }

    private static double sum(double[] values, int from, int count) {
        if (count > BLOCK) {
            int half = count / 2 / UNROLLED * UNROLLED;
            return sum(values, from, half) + sum(values, from + half, count - half);
        }
        double[] lanes = new double[UNROLLED];
        int whole = count - count % UNROLLED;
        for (int i = 0; i < whole; i++) {
            lanes[i % UNROLLED] = i < UNROLLED ? values[from + i] : lanes[i % UNROLLED] + values[from + i];
        }
        double sum = whole == 0
                ? -0.0
                : ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
        for (int i = whole; i < count; i++) {
            sum += values[from + i];
        }
        return sum;
    }
}
