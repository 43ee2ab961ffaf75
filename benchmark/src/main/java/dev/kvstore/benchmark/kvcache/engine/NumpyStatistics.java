package dev.kvstore.benchmark.kvcache.engine;

/** The statistics that the original asks numpy for, with the same rounding. */
public final class NumpyStatistics {
    private static final int UNROLLED = 8;
    private static final int BLOCK = 128;

    private NumpyStatistics() {}

    /**
     * {@code numpy.percentile} with its usual linear interpolation.
     *
     * @param sorted ascending, at least one
     * @param percentile 0 to 100
     */
    public static double percentile(double[] sorted, double percentile) {
        int last = sorted.length - 1;
        double position = last * (percentile / 100);
        int below = (int) Math.floor(position);
        if (below >= last) {
            return sorted[last];
        }
        double from = sorted[below];
        double to = sorted[below + 1];
        double share = position - below;
        double difference = to - from;
        return share >= 0.5 ? to - difference * (1 - share) : from + difference * share;
    }

    /** {@code numpy.mean} of at least one value: numpy adds pairwise, which rounds unlike a plain loop. */
    public static double mean(double[] values) {
        return sum(values, 0, values.length) / values.length;
    }

    private static double sum(double[] values, int from, int count) {
        if (count < UNROLLED) {
            double sum = -0.0;
            for (int i = 0; i < count; i++) {
                sum += values[from + i];
            }
            return sum;
        }
        if (count <= BLOCK) {
            return blockSum(values, from, count);
        }
        int half = count / 2;
        half -= half % UNROLLED;
        return sum(values, from, half) + sum(values, from + half, count - half);
    }

    private static double blockSum(double[] values, int from, int count) {
        double[] lanes = new double[UNROLLED];
        System.arraycopy(values, from, lanes, 0, UNROLLED);
        int whole = count - count % UNROLLED;
        for (int i = UNROLLED; i < whole; i += UNROLLED) {
            for (int lane = 0; lane < UNROLLED; lane++) {
                lanes[lane] += values[from + i + lane];
            }
        }
        double sum = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
        for (int i = whole; i < count; i++) {
            sum += values[from + i];
        }
        return sum;
    }
}
