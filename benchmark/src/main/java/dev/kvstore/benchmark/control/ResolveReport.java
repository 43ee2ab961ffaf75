package dev.kvstore.benchmark.control;

import dev.kvstore.benchmark.measure.Latencies;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How long keys took to resolve, with the names that the JSON has.
 *
 * @param cached the questions of a data plane about answers that it knew; null if they were not measured
 */
record ResolveReport(List<ResolveRound> rounds, @Nullable Cached cached) {
    /** The most that 99 of 100 may take in the control plane, one at a time, in milliseconds. */
    static final double BOUND_MILLIS = 2;

    /**
     * Calls by so many callers.
     *
     * @param pacedPerSecond how often each asks; 0 for again as soon as it is answered
     * @param all as the callers see it
     * @param byOutcome the same of each kind of answer
     * @param server the same as the control plane's own metrics have it
     * @param bare the time that this machine takes to wake as many threads and do nothing; null for many callers
     * @param wrong answers
     */
    record ResolveRound(
            int callers,
            int pacedPerSecond,
            double perSecond,
            Latencies.Percentiles all,
            Map<String, Latencies.Percentiles> byOutcome,
            ServerTimes server,
            Latencies.@Nullable Percentiles bare,
            long wrong) {}

    /**
     * Lookups through a data plane, after one that made it ask.
     *
     * @param questions to the control plane during these
     */
    record Cached(int lookups, double seconds, long questions) {
        private static final double REFRESH_SECONDS = 60;

        /**
         * The questions about known answers, which are asked again every 60 s, beside the lookup that finds them so
         * old.
         */
        long refreshes() {
            return (long) (seconds / REFRESH_SECONDS);
        }
    }

    ResolveReport withCached(Cached figures) {
        return new ResolveReport(rounds, figures);
    }

    String text() {
        StringBuilder text = new StringBuilder();
        for (ResolveRound round : rounds) {
            text.append(String.format(
                    Locale.ROOT,
                    "resolve, %d at a time%s  %s, %.0f per second; in the control plane p50 %.2f ms, p99 %.2f ms, %.2f ms on average; wrong: %d%n",
                    round.callers(),
                    round.pacedPerSecond() == 0 ? "" : ", at a pace",
                    line(round.all()),
                    round.perSecond(),
                    round.server().p50Millis(),
                    round.server().p99Millis(),
                    round.server().meanMillis(),
                    round.wrong()));
            if (round.bare() != null) {
                text.append(String.format(Locale.ROOT, "  %-18s   %s%n", "bare threads", line(round.bare())));
            }
            round.byOutcome()
                    .forEach((outcome, latency) ->
                            text.append(String.format(Locale.ROOT, "  %-18s   %s%n", outcome, line(latency))));
        }
        if (cached != null) {
            text.append(String.format(
                    Locale.ROOT,
                    "cached                %d lookups through a data plane in %.1f s: %d questions to the control plane%n",
                    cached.lookups(),
                    cached.seconds(),
                    cached.questions()));
        }
        return text.toString();
    }

    private static String line(Latencies.Percentiles latency) {
        return String.format(
                Locale.ROOT,
                "p50 %.2f ms, p99 %.2f ms, longest %.1f ms of %d",
                latency.p50Millis(),
                latency.p99Millis(),
                latency.maxMillis(),
                latency.count());
    }
}
