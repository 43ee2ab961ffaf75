package dev.kvstore.benchmark.kvcache.workload;

import java.util.SplittableRandom;

/**
 * The stream of one user for one purpose. It depends on the seed, the user and the purpose alone, never on other
 * threads: the original shares one generator among all threads, so its streams differ from run to run. For one thread.
 */
public final class SplitDraws implements Draws {
    // Odd 64-bit fractions of the golden ratio and of the square root of 2: neighbouring streams begin far apart.
    private static final long USER = 0x9e3779b97f4a7c15L;
    private static final long PURPOSE = 0x6a09e667f3bcc909L;

    private final SplittableRandom random;

    /** @param purpose a number for each use, so that another use draws from a stream of its own */
    public SplitDraws(long seed, long user, int purpose) {
        random = new SplittableRandom(seed + USER * (user + 1) + PURPOSE * (purpose + 1L));
    }

    @Override
    public long bits(int count) {
        return random.nextLong() >>> (Long.SIZE - count);
    }

    @Override
    public double real() {
        return (random.nextLong() >>> 11) * 0x1.0p-53;
    }
}
