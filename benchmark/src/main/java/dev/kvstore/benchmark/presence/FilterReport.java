package dev.kvstore.benchmark.presence;

import dev.kvstore.benchmark.measure.BenchReport;
import java.util.Locale;

/**
 * The cost of a partition's filter, with the names that the JSON has.
 *
 * @param runs sets that a question asks, one after the other
 * @param parts blobs they are in
 * @param storedBitsPerKey of all blobs
 * @param heapBitsPerKey that a collection leaves once they are loaded
 * @param falsePositiveRate of absent keys, the part that the filter said "maybe" to
 * @param asked absent keys, of which that was measured
 * @param denied present keys that the filter denied, of all; must be 0
 * @param together in groups of 64, as a lookup asks
 * @param alone one after the other
 * @param readNanos the time that the machine takes to read a random word of as much memory, when the next word depends
 *     on it
 * @param loadMillis from files to the first answer, median of 5
 * @param merge of what 16 logs hold
 */
record FilterReport(
        long keys,
        int runs,
        int parts,
        double storedBitsPerKey,
        double heapBitsPerKey,
        double falsePositiveRate,
        long asked,
        long denied,
        QuestionNanos together,
        QuestionNanos alone,
        double readNanos,
        double loadMillis,
        MergeTimes merge)
        implements BenchReport {
    /** Per question about a random key, medians of the rounds. */
    record QuestionNanos(double absent, double present) {}

    /**
     * Merges, one after the other.
     *
     * @param keys of each
     * @param meanBytes written by each
     */
    record MergeTimes(int count, int keys, double medianMillis, double maxMillis, double meanBytes) {}

    @Override
    public String text() {
        return String.format(
                Locale.ROOT,
                """
                %d keys in %d runs, %d parts
                bits per key      %.2f stored, %.2f on the heap
                false positives   %.4f %% of %d absent keys
                false negatives   %d of all keys
                question          absent %.0f ns, present %.0f ns: 64 together, as a lookup asks
                                  absent %.0f ns, present %.0f ns: alone
                                  (a random word of as much memory: %.0f ns)
                load              %.0f ms
                merge             %d times %d keys: %.0f ms median, %.0f ms at the most, %.0f kB written on average
                """,
                keys,
                runs,
                parts,
                storedBitsPerKey,
                heapBitsPerKey,
                100 * falsePositiveRate,
                asked,
                denied,
                together.absent,
                together.present,
                alone.absent,
                alone.present,
                readNanos,
                loadMillis,
                merge.count,
                merge.keys,
                merge.medianMillis,
                merge.maxMillis,
                merge.meanBytes / 1e3);
    }

    @Override
    public boolean holds() {
        return denied == 0;
    }
}
