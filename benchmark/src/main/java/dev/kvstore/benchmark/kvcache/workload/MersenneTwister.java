package dev.kvstore.benchmark.kvcache.workload;

/**
 * MT19937 of Matsumoto and Nishimura, seeded as CPython seeds it from an integer: the same numbers as
 * {@code random.Random(seed)}, bit for bit. For one thread.
 */
public final class MersenneTwister implements Draws {
    private static final int SIZE = 624;
    private static final int MIDDLE = 397;
    private static final int MATRIX = 0x9908b0df;
    private static final int UPPER = 0x80000000;
    private static final int LOWER = 0x7fffffff;
    private static final int WORD = 32;

    private final int[] state = new int[SIZE];
    private int next = SIZE;

    /** @param seed as in {@code random.seed}, which takes the absolute value */
    public MersenneTwister(long seed) {
        long size = Math.abs(seed);
        int high = (int) (size >>> WORD);
        seed(high == 0 ? new int[] {(int) size} : new int[] {(int) size, high});
    }

    /** {@code init_by_array} of the reference program. */
    private void seed(int[] key) {
        fill(19650218);
        int i = 1;
        int j = 0;
        for (int k = Math.max(SIZE, key.length); k > 0; k--) {
            state[i] = (state[i] ^ (mixed(i) * 1664525)) + key[j] + j;
            i++;
            j = (j + 1) % key.length;
            i = wrapped(i);
        }
        for (int k = SIZE - 1; k > 0; k--) {
            state[i] = (state[i] ^ (mixed(i) * 1566083941)) - i;
            i++;
            i = wrapped(i);
        }
        state[0] = UPPER;
    }

    private void fill(int first) {
        state[0] = first;
        for (int i = 1; i < SIZE; i++) {
            state[i] = 1812433253 * mixed(i) + i;
        }
    }

    /** The word before, its upper bits folded into its lowest. */
    private int mixed(int i) {
        return state[i - 1] ^ (state[i - 1] >>> 30);
    }

    private int wrapped(int i) {
        if (i < SIZE) {
            return i;
        }
        state[0] = state[SIZE - 1];
        return 1;
    }

    private int word() {
        if (next == SIZE) {
            twist();
            next = 0;
        }
        int y = state[next++];
        y ^= y >>> 11;
        y ^= (y << 7) & 0x9d2c5680;
        y ^= (y << 15) & 0xefc60000;
        return y ^ (y >>> 18);
    }

    private void twist() {
        for (int i = 0; i < SIZE; i++) {
            int y = (state[i] & UPPER) | (state[(i + 1) % SIZE] & LOWER);
            state[i] = state[(i + MIDDLE) % SIZE] ^ (y >>> 1) ^ ((y & 1) == 0 ? 0 : MATRIX);
        }
    }

    /** Draws {@code getrandbits(count)}: 32-bit words, the lowest first; the last word gives its highest bits. */
    @Override
    public long bits(int count) {
        long low = Integer.toUnsignedLong(word());
        if (count <= WORD) {
            return low >>> (WORD - count);
        }
        return low | (Integer.toUnsignedLong(word()) >>> (2 * WORD - count)) << WORD;
    }

    @Override
    public double real() {
        long high = Integer.toUnsignedLong(word()) >>> 5;
        long low = Integer.toUnsignedLong(word()) >>> 6;
        return (high * 67108864.0 + low) / 9007199254740992.0;
    }
}
