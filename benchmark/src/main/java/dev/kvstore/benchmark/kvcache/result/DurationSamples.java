package dev.kvstore.benchmark.kvcache.result;

import dev.kvstore.benchmark.kvcache.random.NumpyStatistics;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How long something took, each time, in seconds: all of them up to two million, beyond it as many chosen at random.
 * Thread-safe.
 */
public final class DurationSamples {
    private static final int MOST = 2_000_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final SplittableRandom random = new SplittableRandom(1);
    private double[] values = new double[64];
    private int kept;
    private long count;
    private double sum;

    public void add(double seconds) {
        lock.lock();
        try {
            count++;
            sum += seconds;
            if (kept == MOST) {
                long place = random.nextLong(count);
                if (place < MOST) {
                    values[(int) place] = seconds;
                }
                return;
            }
            if (kept == values.length) {
                values = Arrays.copyOf(values, Math.min(MOST, 2 * kept));
            }
            values[kept++] = seconds;
        } finally {
            lock.unlock();
        }
    }

    /** How many were added. */
    public long count() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    /** The sum of all samples, in seconds. */
    public double sum() {
        lock.lock();
        try {
            return sum;
        } finally {
            lock.unlock();
        }
    }

    /** The samples that were kept, in the order of adding. */
    public double[] values() {
        lock.lock();
        try {
            return Arrays.copyOf(values, kept);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The samples that were added after the first {@code before} ones, as long as all are kept; otherwise all kept
     * samples.
     */
    public double[] since(long before) {
        lock.lock();
        try {
            return count > kept || before > kept
                    ? Arrays.copyOf(values, kept)
                    : Arrays.copyOfRange(values, (int) before, kept);
        } finally {
            lock.unlock();
        }
    }

    /** The kept samples of two. */
    public static double[] together(DurationSamples one, DurationSamples other) {
        double[] first = one.values();
        double[] second = other.values();
        double[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    /** As numpy has it; NaN if there is none. */
    public double percentile(double percentile) {
        return percentile(values(), percentile);
    }

    /** As numpy has it; NaN if there is none. */
    public static double percentile(double[] values, double percentile) {
        if (values.length == 0) {
            return Double.NaN;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return NumpyStatistics.percentile(sorted, percentile);
    }

    /** As numpy has it; NaN if there is none. */
    public double mean() {
        double[] all = values();
        return all.length == 0 ? Double.NaN : NumpyStatistics.mean(all);
    }
}
