package dev.kvstore.benchmark.kvcache.workload;

import java.util.List;

/** Random numbers of one stream, derived from bits as CPython's {@code random} derives them. For one thread. */
public interface Draws {
    /** Random bits as the lowest of the number; {@code count} is 1 to 63. */
    long bits(int count);

    /** At least 0 and less than 1, with 53 random bits. */
    double real();

    /** As {@code random.randrange(bound)}: at least 0 and less than {@code bound}, which is above 0. */
    default long below(long bound) {
        int width = Long.SIZE - Long.numberOfLeadingZeros(bound);
        long drawn = bits(width);
        while (drawn >= bound) {
            drawn = bits(width);
        }
        return drawn;
    }

    /** As {@code random.randint}: both ends belong to the range. */
    default long between(long least, long most) {
        return least + below(most - least + 1);
    }

    /** As {@code random.uniform}. */
    default double uniform(double from, double to) {
        return from + (to - from) * real();
    }

    /** As {@code random.choice}; the list is not empty. */
    default <T> T choice(List<T> from) {
        return from.get((int) below(from.size()));
    }
}
