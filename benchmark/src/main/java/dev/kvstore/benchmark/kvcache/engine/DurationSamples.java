package dev.kvstore.benchmark.kvcache.engine;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * How long something took, each time, in seconds: all of them up to two million, beyond it as many chosen at random.
 * Thread-safe.
 */
public final class DurationSamples {
    private static final int MOST = 2_000_000;

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

    /** The percentile (0 to 100) of the samples by numpy's linear interpolation; NaN without samples. */
    public double percentile(double percentile) {
        return percentile(values(), percentile);
    }

    /** The percentile (0 to 100) of some values by numpy's linear interpolation; NaN without values. */
    public static double percentile(double[] values, double percentile) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted.length == 0 ? Double.NaN : NumpyStatistics.percentile(sorted, percentile);
    }

    /** The mean of the samples, summed in numpy's order; NaN without samples. */
    public double mean() {
        double[] all = values();
        return all.length == 0 ? Double.NaN : NumpyStatistics.mean(all);
    }
}
