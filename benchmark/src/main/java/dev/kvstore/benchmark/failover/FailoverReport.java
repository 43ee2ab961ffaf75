package dev.kvstore.benchmark.failover;

import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The effects that clients noticed, with the names that the JSON has.
 *
 * @param layout of the stack
 * @param interrupted whether cases are missing since somebody stopped it
 */
record FailoverReport(String layout, List<FailoverResult> cases, boolean interrupted) implements BenchReport {
    /**
     * The time within which a route has to exclude a dead or frozen process, in seconds: a lease, a reading of the
     * fleet, a push.
     */
    static final double OUT_OF_ROUTES_SECONDS = 18;

    /**
     * One case.
     *
     * @param name such as {@code kill-process}
     * @param requests of the SDK's callers, from before the deed until all was as before again
     * @param failedRequests requests that failed for their callers, after all retries, or had a wrong byte
     * @param failures why, of the first of them
     * @param misses blocks that were not found, which is no failure: another region has a storage of its own
     * @param secondsToRecover from the deed until the last request ended that took longer than {@code slowMillis}; 0 if
     *     none did
     * @param slowMillis 100 ms, or ten times what 99 of 100 took before the deed, if that is more
     * @param secondsUntilOutOfRoutes from the deed until the route excluded all that it was done to
     * @param secondsUntilBack from its undoing until the route included them again
     * @param before how long requests took before the deed, by kind
     * @param during the same from the deed until its undoing
     */
    record FailoverResult(
            String name,
            long requests,
            long failedRequests,
            List<String> failures,
            long misses,
            double secondsToRecover,
            double slowMillis,
            double secondsUntilOutOfRoutes,
            double secondsUntilBack,
            Map<String, Latencies.Percentiles> before,
            Map<String, Latencies.Percentiles> during) {}

    /** The promises that did not hold; empty if all did. */
    List<String> breaches() {
        List<String> breaches = new ArrayList<>();
        for (FailoverResult one : cases) {
            if (one.failedRequests() > 0) {
                breaches.add(one.name() + ": " + one.failedRequests() + " requests failed");
            }
            if (one.requests() == 0) {
                breaches.add(one.name() + ": nothing was asked, so nothing is shown");
            }
            if (one.secondsUntilOutOfRoutes() > OUT_OF_ROUTES_SECONDS) {
                breaches.add(String.format(
                        Locale.ROOT,
                        "%s: in routes for %.1f s, not %.0f s at most",
                        one.name(),
                        one.secondsUntilOutOfRoutes(),
                        OUT_OF_ROUTES_SECONDS));
            }
        }
        return List.copyOf(breaches);
    }

    @Override
    public boolean holds() {
        return breaches().isEmpty() && !interrupted;
    }

    @Override
    public String text() {
        StringBuilder text = new StringBuilder(layout).append(System.lineSeparator());
        text.append(String.format(
                Locale.ROOT,
                "%-16s %9s %7s %8s %10s %12s %10s %16s %16s%n",
                "case",
                "requests",
                "failed",
                "misses",
                "recovered",
                "out of route",
                "back in",
                "p99 before",
                "p99 / longest"));
        cases.forEach(one -> text.append(line(one)));
        cases.forEach(one -> one.failures()
                .forEach(failure -> text.append("  ")
                        .append(one.name())
                        .append(": ")
                        .append(failure)
                        .append(System.lineSeparator())));
        if (interrupted) {
            text.append("interrupted: cases are missing").append(System.lineSeparator());
        }
        breaches().forEach(breach -> text.append("FAILED: ").append(breach).append(System.lineSeparator()));
        return text.toString();
    }

    @Override
    public ReportPage page(String command) {
        return FailoverPage.of(this);
    }

    private static String line(FailoverResult one) {
        return String.format(
                Locale.ROOT,
                "%-16s %9d %7d %8d %8.2f s %10.1f s %8.1f s %13.1f ms %6.1f / %.0f ms%n",
                one.name(),
                one.requests(),
                one.failedRequests(),
                one.misses(),
                one.secondsToRecover(),
                one.secondsUntilOutOfRoutes(),
                one.secondsUntilBack(),
                p99(one.before()),
                p99(one.during()),
                one.during().values().stream()
                        .mapToDouble(Latencies.Percentiles::maxMillis)
                        .max()
                        .orElse(0));
    }

    static double p99(Map<String, Latencies.Percentiles> latencies) {
        return latencies.values().stream()
                .mapToDouble(Latencies.Percentiles::p99Millis)
                .max()
                .orElse(0);
    }
}
