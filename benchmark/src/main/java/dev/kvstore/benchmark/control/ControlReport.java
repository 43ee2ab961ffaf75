package dev.kvstore.benchmark.control;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.Failures;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The findings, with the names that the JSON has. A part that was not measured is null. */
record ControlReport(
        @Nullable RegistrationFigures registered,
        @Nullable List<ListTimes> pages,
        @Nullable ResolveFigures resolve,
        @Nullable WatchFigures watch,
        @Nullable OutageFigures outage)
        implements BenchReport {
    /** The most that 99 of 100 resolves may take in the control plane, one at a time. */
    private static final double RESOLVE_MILLIS = 2;

    /** By when the last watcher is to have heard of any change. */
    private static final double WATCH_MILLIS = 1_000;

    /** The time within which a data plane has to refuse a revoked key, and accept a new one. */
    private static final double KEY_MILLIS = 5_000;

    /**
     * How fast accounts were registered.
     *
     * @param overRest accounts registered over REST, on 16 connections
     * @param put how long each took
     * @param sqlSeconds for all the others
     */
    record RegistrationFigures(
            int accounts, int overRest, double restPerSecond, Latencies.Percentiles put, double sqlSeconds) {}

    /** How long keys took to resolve, and how often a data plane asked about answers that it knew. */
    record ResolveFigures(List<ResolveRound> rounds, CachedLookups cached) {}

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
    record CachedLookups(int lookups, double seconds, long questions) {
        private static final double REFRESH_SECONDS = 60;

        /** A known answer is asked for again every 60 s, beside the lookup that finds it so old. */
        private long refreshes() {
            return (long) (seconds / REFRESH_SECONDS);
        }
    }

    /**
     * How soon watchers heard of changes.
     *
     * @param fromSending of the PUT until a watcher has the change: of each watcher and change
     * @param fromAnswer the same from when the PUT was answered; 0 if the watcher was faster
     * @param slowest of each change, the watcher that had it last, from the sending of the PUT
     * @param unheard watchers that had not heard of a change within 10 s, all changes together
     */
    record WatchFigures(
            int watchers,
            int channels,
            int changes,
            Latencies.Percentiles fromSending,
            Latencies.Percentiles fromAnswer,
            Latencies.Percentiles slowest,
            long unheard) {}

    /**
     * The effect of a killed control plane on clients of data planes.
     *
     * @param outageSeconds from the kill until the control plane was started again
     * @param restartMillis from then until it was ready
     * @param watchAgainMillis from when it was ready until all data planes watched again
     * @param requests lookups, reads and writes from before the kill until after that; tried once each
     * @param requestsWhileGone the requests that ended while no control plane was ready
     * @param failed requests that failed or were answered wrongly
     * @param failures why, of the first of them
     * @param pauseMillis longest time in which no request was answered
     * @param whileThere how long requests took that ended while the control plane was there, by kind
     * @param whileGone the same of the others
     * @param newKeyMillis after all that, from when a key was made over REST until each data plane took it
     * @param revokedMillis the same of a key that was revoked, until each data plane refused it; 30 s if one never did
     */
    record OutageFigures(
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
            double revokedMillis) {}

    ControlReport withOutage(OutageFigures figures) {
        return new ControlReport(registered, pages, resolve, watch, figures);
    }

    @Override
    @JsonProperty("breaches")
    public List<String> failures() {
        Failures failures = new Failures();
        if (pages != null) {
            pages.forEach(listing -> failures.when(
                    listing.flatness() > ListTimes.FLAT,
                    "pages of %s (limit %d) take %.2f times as long at the end as at the beginning",
                    listing.list(),
                    listing.limit(),
                    listing.flatness()));
        }
        if (resolve != null) {
            double alone = resolve.rounds().getFirst().server().p99Millis();
            failures.when(
                    alone >= RESOLVE_MILLIS,
                    "resolve takes %.2f ms in the control plane (p99, one at a time), not less than %.0f ms",
                    alone,
                    RESOLVE_MILLIS);
            long wrong =
                    resolve.rounds().stream().mapToLong(ResolveRound::wrong).sum();
            failures.when(wrong > 0, "%d resolves were answered wrongly", wrong);
            CachedLookups cached = resolve.cached();
            failures.when(
                    cached.questions() > cached.refreshes(),
                    "a data plane asked %d times about what it knew",
                    cached.questions());
        }
        if (watch != null) {
            failures.when(watch.unheard() > 0, "changes were not heard of within 10 s, %d of them", watch.unheard());
            double slowest = watch.slowest().maxMillis();
            failures.when(
                    slowest >= WATCH_MILLIS,
                    "the last watcher heard of a change after %.0f ms, not within %.0f ms",
                    slowest,
                    WATCH_MILLIS);
        }
        if (outage != null) {
            failures.when(outage.failed() > 0, "%d requests failed", outage.failed());
            failures.when(outage.requestsWhileGone() == 0, "nothing was asked while the control plane was gone");
            failures.when(
                    outage.newKeyMillis() >= KEY_MILLIS, "a new key was not taken for %.0f ms", outage.newKeyMillis());
            failures.when(
                    outage.revokedMillis() >= KEY_MILLIS,
                    "a revoked key was taken for %.0f ms",
                    outage.revokedMillis());
        }
        return failures.list();
    }

    @Override
    public ReportPage page(String command) {
        return ControlPage.of(this);
    }
}
