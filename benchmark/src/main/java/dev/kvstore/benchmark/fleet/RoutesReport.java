package dev.kvstore.benchmark.fleet;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The findings, with the names that the JSON has.
 *
 * @param loadAverage of the machine before anything was started; below 0 where it does not tell
 */
record RoutesReport(
        double loadAverage,
        int clusters,
        int members,
        RouteLatencies answers,
        WeightSpread spread,
        List<DrainWatch> watching)
        implements BenchReport {
    private static final double ANSWER_MILLIS = 2;
    private static final double TOLD_SECONDS = 2;
    private static final double DEVIATION = 0.1;

    /**
     * Routes that were asked for, one at a time, while all processes send heartbeats.
     *
     * @param client as the client saw it
     * @param serverP50Millis from a call's arrival until it is answered, by the control plane's metrics
     * @param workedOutP99Millis of routes that were not known yet of a fleet, by the control plane's metrics
     */
    record RouteLatencies(
            Latencies.Percentiles client,
            double serverP50Millis,
            double serverP99Millis,
            double workedOutP50Millis,
            double workedOutP99Millis) {}

    /**
     * Weights against the headroom that processes had said they have.
     *
     * @param targets how many were looked at
     * @param largestDeviation of a target's part of its level's work from its part of the headroom; 0.1 is 10 %
     */
    record WeightSpread(int targets, double largestDeviation) {}

    /**
     * A cluster drained that all routes name.
     *
     * @param told watchers whose next route was without it
     * @param p50Seconds from the request to drain until half of them were told
     */
    record DrainWatch(
            int watchers, int connections, int told, double p50Seconds, double p99Seconds, double lastSeconds) {}

    /** The promises that did not hold, in a sentence each. */
    @JsonProperty
    List<String> breaches() {
        List<String> breaches = new ArrayList<>();
        if (answers.serverP99Millis() >= ANSWER_MILLIS || answers.workedOutP99Millis() >= ANSWER_MILLIS) {
            breaches.add(String.format(
                    Locale.ROOT,
                    "a route takes %.2f ms (p99), and %.2f ms to work out, not less than %.0f ms",
                    answers.serverP99Millis(),
                    answers.workedOutP99Millis(),
                    ANSWER_MILLIS));
        }
        if (spread.largestDeviation() > DEVIATION) {
            breaches.add(String.format(
                    Locale.ROOT,
                    "a process has %.0f %% more or less of the work than of the headroom",
                    100 * spread.largestDeviation()));
        }
        for (DrainWatch round : watching) {
            if (round.told() < round.watchers() || round.lastSeconds() >= TOLD_SECONDS) {
                breaches.add(String.format(
                        Locale.ROOT,
                        "%d of %d watchers were told of a drain, the last after %.2f s",
                        round.told(),
                        round.watchers(),
                        round.lastSeconds()));
            }
        }
        return List.copyOf(breaches);
    }

    @Override
    public boolean holds() {
        return breaches().isEmpty();
    }

    @Override
    public String text() {
        StringBuilder text = new StringBuilder();
        text.append(String.format(Locale.ROOT, "%d processes in %d clusters%n", members, clusters));
        text.append(String.format(
                Locale.ROOT,
                "answers     %d one at a time: client p50 %.2f ms, p99 %.2f ms; control plane p50 %.2f ms, p99 %.2f ms;"
                        + " worked out in p50 %.2f ms, p99 %.2f ms%n",
                answers.client().count(),
                answers.client().p50Millis(),
                answers.client().p99Millis(),
                answers.serverP50Millis(),
                answers.serverP99Millis(),
                answers.workedOutP50Millis(),
                answers.workedOutP99Millis()));
        text.append(String.format(
                Locale.ROOT,
                "spread      %d targets: work differs from headroom by %.1f %% at most%n",
                spread.targets(),
                100 * spread.largestDeviation()));
        for (DrainWatch round : watching) {
            text.append(String.format(
                    Locale.ROOT,
                    "drain       %d of %d watchers on %d connections told: half after %.2f s, 99 %% after %.2f s, all after"
                            + " %.2f s%n",
                    round.told(),
                    round.watchers(),
                    round.connections(),
                    round.p50Seconds(),
                    round.p99Seconds(),
                    round.lastSeconds()));
        }
        breaches().forEach(breach -> text.append("BROKEN: ").append(breach).append(System.lineSeparator()));
        return text.toString();
    }

    @Override
    public ReportPage page(String command) {
        return RoutesPage.of(this);
    }
}
