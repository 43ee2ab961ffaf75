package dev.kvstore.benchmark.presence;

import java.util.SplittableRandom;

/**
 * Measures the time that the machine takes to read memory, to compare the time of a question with it. For one thread.
 */
final class RandomReads {
    private final long[] memory;
    private final int[] places;

    /** @param bytes of memory that is read, in words */
    RandomReads(long bytes, int reads, SplittableRandom random) {
        memory = new long[(int) Math.min(Integer.MAX_VALUE / 2, bytes / Long.BYTES) + 1];
        places = random.ints(reads, 0, memory.length / 2 * 2).toArray();
        // Pages that were never written may all be one.
        for (int i = 0; i < memory.length; i++) {
            memory[i] = i & 1;
        }
    }

    /** Nanoseconds for a word, when where the next one is depends on it. */
    double nanos() {
        long start = System.nanoTime();
        int last = 0;
        for (int place : places) {
            last = (int) memory[place ^ last] & 1;
        }
        double nanos = (double) (System.nanoTime() - start) / places.length;
        return last < 0 ? 0 : nanos;
    }
}
