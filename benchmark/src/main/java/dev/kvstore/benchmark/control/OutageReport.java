package dev.kvstore.benchmark.control;

import dev.kvstore.benchmark.measure.Latencies;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The effects on clients of data planes of a control plane that was killed, with the names that the JSON has.
 *
 * @param outageSeconds from the kill until the control plane was started again
 * @param restartMillis from then until it was ready
 * @param watchAgainMillis from when it was ready until all data planes watched again
 * @param requests lookups, reads and writes from before the kill until after that; tried once each
 * @param requestsWhileGone the requests that began while no control plane was ready
 * @param failed requests that failed or were answered wrongly
 * @param failures why, of the first of them
 * @param pauseMillis longest time in which no request was answered
 * @param whileThere how long requests took that began when the control plane was there, by kind
 * @param whileGone the same of the others
 * @param newKeyMillis after all that, from when a key was made over REST until each data plane took it
 * @param revokedMillis the same of a key that was revoked, until each data plane refused it; 30 s if one never did
 */
record OutageReport(
        double outageSeconds,
        double restartMillis,
        double watchAgainMillis,
        long requests,
        long requestsWhileGone,
        long failed,
        List<String> failures,
        double pauseMillis,
        Map<String, Latencies.Percentiles> whileThere,
        Map<String, Latencies.Percentiles> whileGone,
        double newKeyMillis,
        double revokedMillis) {
    /** The time within which a data plane has to refuse a revoked key, and accept a new one, in milliseconds. */
    static final double KEY_BOUND_MILLIS = 5_000;

    String text() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                """
                control plane killed; started again after %.0f s, ready after %.1f s more, watched again after %.1f s more
                requests              %d, of which %d began while it was gone
                failed                %d
                longest pause         %.0f ms without an answer
                a new key serves      after %.0f ms; a revoked one is refused after %.0f ms
                """,
                outageSeconds,
                restartMillis / 1e3,
                watchAgainMillis / 1e3,
                requests,
                requestsWhileGone,
                failed,
                pauseMillis,
                newKeyMillis,
                revokedMillis));
        failures.forEach(failure -> text.append("  ").append(failure).append(System.lineSeparator()));
        whileThere.forEach((kind, latency) -> text.append(line(kind + ", there", latency)));
        whileGone.forEach((kind, latency) -> text.append(line(kind + ", gone", latency)));
        return text.toString();
    }

    private static String line(String name, Latencies.Percentiles latency) {
        return String.format(
                Locale.ROOT,
                "  %-18s  p50 %.1f ms, p99 %.1f ms, longest %.0f ms of %d%n",
                name,
                latency.p50Millis(),
                latency.p99Millis(),
                latency.maxMillis(),
                latency.count());
    }
}
