package dev.kvstore.benchmark.presence;

import dev.kvstore.dataplane.presence.snapshot.KeyBatch;
import dev.kvstore.dataplane.presence.snapshot.Snapshot;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Asks a filter, in random order. For one thread. */
final class FilterQuestions {
    /** The results of all rounds. */
    record FilterTimes(
            double falsePositiveRate,
            long absent,
            FilterReport.QuestionNanos together,
            FilterReport.QuestionNanos alone,
            double readNanos) {}

    private static final int ROUNDS = 99;
    private static final int EACH = 1 << 16;

    private final Snapshot snapshot;
    private final long present;
    private final SplittableRandom random;
    private final KeyBatch questions = new KeyBatch();

    /** @param present keys that are in the filter, from {@code key(0)} on */
    FilterQuestions(Snapshot snapshot, long present, SplittableRandom random) {
        this.snapshot = snapshot;
        this.present = present;
        this.random = random;
    }

    /** Spread like the first bytes of hashes, and none twice: the last steps of SplitMix64 lose nothing. */
    static long key(long number) {
        long z = (number + 1) * 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    FilterTimes ask() {
        RandomReads reads = new RandomReads(snapshot.bytes(), EACH, random);
        double[][] nanos = new double[5][ROUNDS];
        long maybe = 0;
        for (int round = 0; round < ROUNDS; round++) {
            // The keys below "present" are stored; the keys from there on are not.
            long[] absent = keys(present, Long.MAX_VALUE);
            long[] there = keys(0, present);
            // Other keys: a key that was asked for just now is in a near cache.
            long[] otherAbsent = keys(present, Long.MAX_VALUE);
            long[] otherThere = keys(0, present);
            long t0 = System.nanoTime();
            maybe += together(absent);
            long t1 = System.nanoTime();
            long found = together(there);
            long t2 = System.nanoTime();
            maybe += alone(otherAbsent);
            long t3 = System.nanoTime();
            found += alone(otherThere);
            long t4 = System.nanoTime();
            if (found != 2L * EACH) {
                throw new IllegalStateException("the filter denied a key that is there");
            }
            nanos[0][round] = (double) (t1 - t0) / EACH;
            nanos[1][round] = (double) (t2 - t1) / EACH;
            nanos[2][round] = (double) (t3 - t2) / EACH;
            nanos[3][round] = (double) (t4 - t3) / EACH;
            nanos[4][round] = reads.nanos();
        }
        long asked = 2L * ROUNDS * EACH;
        return new FilterTimes(
                (double) maybe / asked,
                asked,
                new FilterReport.QuestionNanos(median(nanos[0]), median(nanos[1])),
                new FilterReport.QuestionNanos(median(nanos[2]), median(nanos[3])),
                median(nanos[4]));
    }

    private long[] keys(long from, long to) {
        return random.longs(EACH, from, to).map(FilterQuestions::key).toArray();
    }

    private long together(long[] keys) {
        long found = 0;
        for (int from = 0; from < keys.length; from += KeyBatch.MAX) {
            questions.clear();
            for (int i = from; i < from + KeyBatch.MAX; i++) {
                questions.add(keys[i]);
            }
            found += Long.bitCount(snapshot.mightContain(questions));
        }
        return found;
    }

    private long alone(long[] keys) {
        long found = 0;
        for (long key : keys) {
            found += snapshot.mightContain(key) ? 1 : 0;
        }
        return found;
    }

    /** The number of keys in the filter that it denies. */
    long denied() {
        long found = 0;
        for (long from = 0; from < present; from += KeyBatch.MAX) {
            questions.clear();
            long to = Math.min(present, from + KeyBatch.MAX);
            for (long i = from; i < to; i++) {
                questions.add(key(i));
            }
            found += Long.bitCount(snapshot.mightContain(questions));
        }
        return present - found;
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
