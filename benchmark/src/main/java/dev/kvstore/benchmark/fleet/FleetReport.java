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
record FleetReport(
        double loadAverage, int members, int clusters, Joins joins, Beats beats, ControlPlanePause pause, Loss loss)
        implements BenchReport {
    private static final double BEAT_MILLIS = 50;

    /** A lease, the second between two readings of the fleet, and the beat that was just sent. */
    private static final double OUT_SECONDS = 20;

    private static final double SHARE = 0.15;

    /** All at once, as many at a time as the benchmark has threads. */
    record Joins(double seconds, double perSecond, Latencies.Percentiles latency) {}

    /**
     * All of them every 5 s.
     *
     * @param failed heartbeats that were not answered, or by an error
     * @param lost leases that were not there any more
     * @param controlCpus processors that the control plane used, on average
     * @param databaseCpus the same of its PostgreSQL
     * @param benchmarkCpus the same of the benchmark
     */
    record Beats(
            double seconds,
            double perSecond,
            Latencies.Percentiles latency,
            long failed,
            long lost,
            double batchesPerSecond,
            double controlCpus,
            double databaseCpus,
            double benchmarkCpus) {}

    /**
     * The control plane frozen, and for a while after it.
     *
     * @param failed heartbeats that were not answered in time
     * @param lost leases that were not there any more
     * @param evicted rows that were deleted
     * @param out the most processes that were seen without a lease, at one moment
     * @param compensations how often leases were given as much longer
     * @param answeredAgainSeconds from its going on until all were heard of again
     */
    record ControlPlanePause(
            double seconds,
            long failed,
            long lost,
            long evicted,
            long out,
            long compensations,
            double answeredAgainSeconds) {}

    /**
     * Many fall silent at once.
     *
     * @param processes of the region
     * @param silent how many of them
     * @param outSeconds until none of them held a lease in the fleet
     * @param steps how their rows went
     * @param lost leases of the others that were not there any more
     */
    record Loss(int processes, int silent, double outSeconds, List<DeletionPass> steps, long lost) {}

    /**
     * Rows that were deleted in a pass.
     *
     * @param second since they fell silent
     * @param before rows of the region
     */
    record DeletionPass(double second, long before, long deleted) {
        long most() {
            return Math.max(1, (long) (before * SHARE));
        }
    }

    /** The promises that did not hold, in a sentence each. */
    @JsonProperty
    List<String> breaches() {
        List<String> breaches = new ArrayList<>();
        if (beats.latency().p99Millis() >= BEAT_MILLIS) {
            breaches.add(String.format(
                    Locale.ROOT,
                    "a heartbeat takes %.1f ms (p99), not less than %.0f ms",
                    beats.latency().p99Millis(),
                    BEAT_MILLIS));
        }
        if (beats.failed() + beats.lost() > 0) {
            breaches.add(beats.failed() + " heartbeats failed and " + beats.lost() + " leases were lost");
        }
        if (pause.lost() + pause.evicted() + pause.out() > 0) {
            breaches.add("after the freeze " + pause.out() + " processes were out of the fleet, " + pause.evicted()
                    + " evicted, and " + pause.lost() + " leases lost");
        }
        if (loss.outSeconds() >= OUT_SECONDS) {
            breaches.add(String.format(Locale.ROOT, "the silent ones were in the fleet for %.1f s", loss.outSeconds()));
        }
        loss.steps().stream()
                .filter(step -> step.deleted() > step.most())
                .forEach(step -> breaches.add("a pass deleted " + step.deleted() + " of " + step.before()
                        + " rows, more than " + step.most()));
        if (loss.lost() > 0) {
            breaches.add(loss.lost() + " of the others lost their leases");
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
        text.append(String.format(Locale.ROOT, "%d processes in %d clusters of 2 regions%n", members, clusters));
        text.append(String.format(
                Locale.ROOT,
                "join        %.0f per second; p50 %.1f ms, p99 %.1f ms%n",
                joins.perSecond(),
                joins.latency().p50Millis(),
                joins.latency().p99Millis()));
        text.append(String.format(
                Locale.ROOT,
                "heartbeats  %.0f per second in %.0f batches; p50 %.1f ms, p99 %.1f ms, longest %.0f ms; failed %d, leases"
                        + " lost %d; CPUs: control plane %.2f, PostgreSQL %.2f, benchmark %.2f%n",
                beats.perSecond(),
                beats.batchesPerSecond(),
                beats.latency().p50Millis(),
                beats.latency().p99Millis(),
                beats.latency().maxMillis(),
                beats.failed(),
                beats.lost(),
                beats.controlCpus(),
                beats.databaseCpus(),
                beats.benchmarkCpus()));
        text.append(String.format(
                Locale.ROOT,
                "freeze      %.0f s: %d heartbeats failed; out of the fleet %d, evicted %d, leases lost %d; leases extended"
                        + " %d times; all heard of again after %.1f s%n",
                pause.seconds(),
                pause.failed(),
                pause.out(),
                pause.evicted(),
                pause.lost(),
                pause.compensations(),
                pause.answeredAgainSeconds()));
        text.append(String.format(
                Locale.ROOT,
                "silence     %d of %d: out of the fleet after %.1f s; leases of others lost %d%n",
                loss.silent(),
                loss.processes(),
                loss.outSeconds(),
                loss.lost()));
        for (DeletionPass step : loss.steps()) {
            text.append(String.format(
                    Locale.ROOT,
                    "  %5.1f s  %d of %d rows deleted, at most %d may be%n",
                    step.second(),
                    step.deleted(),
                    step.before(),
                    step.most()));
        }
        List<String> breaches = breaches();
        breaches.forEach(breach -> text.append("FAILED: ").append(breach).append(System.lineSeparator()));
        if (breaches.isEmpty()) {
            text.append("Every bound was held.").append(System.lineSeparator());
        }
        return text.toString();
    }

    @Override
    public ReportPage page(String command) {
        return FleetPage.of(this);
    }
}
