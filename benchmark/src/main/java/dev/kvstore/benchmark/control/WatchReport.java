package dev.kvstore.benchmark.control;

import dev.kvstore.benchmark.measure.Latencies;
import java.util.Locale;

/**
 * How soon watchers hear of changes, with the names that the JSON has.
 *
 * @param fromSending of the PUT until a watcher has the change: of each watcher and change
 * @param fromAnswer the same from when the PUT was answered; 0 if the watcher was faster
 * @param slowest of each change, the watcher that had it last, from the sending of the PUT
 * @param unheard watchers that had not heard of a change within 10 s, all changes together
 */
record WatchReport(
        int watchers,
        int channels,
        int changes,
        Latencies.Percentiles fromSending,
        Latencies.Percentiles fromAnswer,
        Latencies.Percentiles slowest,
        long unheard) {
    /** By when the last watcher is to have heard of any change, in milliseconds. */
    static final double BOUND_MILLIS = 1_000;

    String text() {
        return String.format(
                Locale.ROOT,
                """
                %d changes heard by %d watchers on %d connections
                  from sending the PUT  %s
                  from its answer       %s
                  the last to hear      %s
                  not heard in 10 s     %d
                """,
                changes,
                watchers,
                channels,
                line(fromSending),
                line(fromAnswer),
                line(slowest),
                unheard);
    }

    private static String line(Latencies.Percentiles latency) {
        return String.format(
                Locale.ROOT,
                "p50 %.1f ms, p99 %.1f ms, longest %.1f ms",
                latency.p50Millis(),
                latency.p99Millis(),
                latency.maxMillis());
    }
}
