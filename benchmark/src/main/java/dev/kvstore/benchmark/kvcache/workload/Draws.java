package dev.kvstore.benchmark.kvcache.workload;

import java.util.List;
import java.util.SplittableRandom;

/** Random numbers of one stream, derived from bits as CPython's {@code random} derives them. For one thread. */
public interface Draws {
    /**
     * The stream of one user for one purpose. It depends on the seed, the user and the purpose alone, never on other
     * threads: the original shares one generator among all threads, so its streams differ from run to run.
     *
     * @param purpose a number for each use, so that another use draws from a stream of its own
     */
    static Draws of(long seed, long user, int purpose) {
        // Odd 64-bit fractions of the golden ratio and of the square root of 2: neighbouring streams begin far apart.
        SplittableRandom random =
                new SplittableRandom(seed + 0x9e3779b97f4a7c15L * (user + 1) + 0x6a09e667f3bcc909L * (purpose + 1L));
        return new Draws() {
            @Override
            public long bits(int count) {
                return random.nextLong() >>> (Long.SIZE - count);
            }

            @Override
            public double real() {
                return (random.nextLong() >>> 11) * 0x1.0p-53;
            }
        };
    }

    /** Random bits as the lowest of the number; {@code count} is 1 to 63. */
    long bits(int count);

    /** At least 0 and less than 1, with 53 random bits. */
    double real();

    /** Draws {@code random.randrange(bound)}: at least 0 and less than {@code bound}, which is above 0. */
    default long below(long bound) {
        int width = Long.SIZE - Long.numberOfLeadingZeros(bound);
        long drawn = bits(width);
        while (drawn >= bound) {
            drawn = bits(width);
        }
        return drawn;
    }

    /** Draws {@code random.randint(least, most)}: both ends belong to the range. */
    default long between(long least, long most) {
        return least + below(most - least + 1);
    }

    /** Draws {@code random.uniform(from, to)}. */
    default double uniform(double from, double to) {
        return from + (to - from) * real();
    }

    /** Draws {@code random.choice(from)}; the list must not be empty. */
    default <T> T choice(List<T> from) {
        return from.get((int) below(from.size()));
    }
}
