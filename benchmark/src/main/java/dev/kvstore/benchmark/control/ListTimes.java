package dev.kvstore.benchmark.control;

import java.util.Arrays;
import java.util.List;

/**
 * How long the pages of one list took, with the names that the JSON has. A page that is not full is left out, unless it
 * is the only one.
 *
 * @param list its filter
 * @param limit of items a page
 * @param rounds how often it was read from beginning to end
 * @param flatness median of the last tenth over that of the first; 1 if there are fewer than ten pages
 */
record ListTimes(
        String list,
        int limit,
        int items,
        int pages,
        int rounds,
        Slice first,
        Slice middle,
        Slice last,
        double flatness) {
    /** Longer than this, measured, the last pages are slower than the first by more than chance. */
    static final double FLAT = 1.5;

    private static final int TENTH = 10;

    /** Some of the pages, in milliseconds. */
    record Slice(double p50Millis, double p99Millis) {
        static Slice of(List<long[]> rounds, int from, int to) {
            long[] sorted = rounds.stream()
                    .flatMapToLong(round -> Arrays.stream(round, from, to))
                    .sorted()
                    .toArray();
            return new Slice(at(sorted, 0.5), at(sorted, 0.99));
        }

        private static double at(long[] sorted, double share) {
            return sorted[(int) Math.min(sorted.length - 1, Math.floor(share * sorted.length))] / 1e6;
        }
    }

    /**
     * The times of a list, from the times of its pages.
     *
     * @param rounds nanoseconds per page, as many in each
     */
    static ListTimes of(String list, int limit, int items, List<long[]> rounds) {
        int full = Math.max(1, items / limit);
        int tenth = Math.max(1, full / TENTH);
        Slice first = Slice.of(rounds, 0, tenth);
        Slice middle = Slice.of(rounds, (full - tenth) / 2, (full - tenth) / 2 + tenth);
        Slice last = Slice.of(rounds, full - tenth, full);
        double flatness = full < TENTH ? 1 : last.p50Millis() / first.p50Millis();
        return new ListTimes(
                list, limit, items, rounds.getFirst().length, rounds.size(), first, middle, last, flatness);
    }
}
