package dev.kvstore.benchmark.failover;

import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.Failures;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.measure.LatencyTable;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure;
import dev.kvstore.benchmark.report.Numbers;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

    private static final List<Column<FailoverResult>> COLUMNS = List.of(
            Column.of("case", FailoverResult::name),
            Column.of("requests", FailoverResult::requests),
            Column.of("failed", FailoverResult::failedRequests),
            Column.of("misses", FailoverResult::misses),
            Column.of("recovered", "s", FailoverResult::secondsToRecover),
            Column.of("out of routes", "s", FailoverResult::secondsUntilOutOfRoutes),
            Column.of("back in routes", "s", FailoverResult::secondsUntilBack));

    @Override
    public List<String> failures() {
        Failures failures = new Failures();
        for (FailoverResult one : cases) {
            failures.when(one.failedRequests() > 0, "%s: %d requests failed", one.name(), one.failedRequests());
            failures.when(one.requests() == 0, "%s: nothing was asked, so nothing is shown", one.name());
            failures.when(
                    one.secondsUntilOutOfRoutes() > OUT_OF_ROUTES_SECONDS,
                    "%s: in routes for %.1f s, not %.0f s at most",
                    one.name(),
                    one.secondsUntilOutOfRoutes(),
                    OUT_OF_ROUTES_SECONDS);
        }
        failures.when(interrupted, "interrupted: cases are missing");
        return failures.list();
    }

    @Override
    public ReportPage page(String command) {
        long requests = cases.stream().mapToLong(FailoverResult::requests).sum();
        long failed = cases.stream().mapToLong(FailoverResult::failedRequests).sum();
        return new ReportPage(
                "Failover",
                Numbers.format("%,d requests in %d cases; %,d failed. %s", requests, cases.size(), failed, layout),
                List.of(
                        new ReportPage.Section(
                                "What clients noticed",
                                failedRequests(),
                                List.of(times(), Figure.Table.of("Cases", COLUMNS, cases))),
                        new ReportPage.Section("How long requests took", "", List.of(latencies()))));
    }

    private String failedRequests() {
        return cases.stream()
                .flatMap(one -> one.failures().stream().map(failure -> one.name() + ": " + failure))
                .collect(Collectors.joining("\n\n"));
    }

    private Figure.Bars times() {
        return new Figure.Bars(
                "Time until all was well again",
                "s",
                cases.stream()
                        .flatMap(one -> Stream.of(
                                Figure.Bar.of(one.name(), "requests as fast as before", one.secondsToRecover()),
                                Figure.Bar.of(one.name(), "out of routes", one.secondsUntilOutOfRoutes()),
                                Figure.Bar.of(one.name(), "back in routes", one.secondsUntilBack())))
                        .toList());
    }

    private Figure.Table latencies() {
        Map<String, Latencies.Percentiles> all = new LinkedHashMap<>();
        for (FailoverResult one : cases) {
            one.before().forEach((kind, latency) -> all.put(one.name() + ", " + kind + ", before", latency));
            one.during().forEach((kind, latency) -> all.put(one.name() + ", " + kind + ", during", latency));
        }
        return LatencyTable.of("By case and kind, before the deed and from then until its undoing", all);
    }
}
