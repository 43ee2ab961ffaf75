package dev.kvstore.benchmark.fleet;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.Failures;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.measure.LatencyTable;
import dev.kvstore.benchmark.report.Column;
import dev.kvstore.benchmark.report.Figure.Table;
import dev.kvstore.benchmark.report.ReportPage;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The findings, with the names that the JSON has. */
record FleetReport(int members, int clusters, Joins joins, Beats beats, ControlPlanePause pause, Loss loss)
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

    private static final List<Column<Beats>> BEATS = List.of(
            Column.of("a second", Beats::perSecond),
            Column.of("failed", Beats::failed),
            Column.of("leases lost", Beats::lost),
            Column.of("batches a second", Beats::batchesPerSecond),
            Column.of("processors, control plane", Beats::controlCpus),
            Column.of("processors, PostgreSQL", Beats::databaseCpus),
            Column.of("processors, benchmark", Beats::benchmarkCpus));

    private static final List<Column<ControlPlanePause>> PAUSE = List.of(
            Column.of("frozen for", "s", ControlPlanePause::seconds),
            Column.of("heartbeats failed", ControlPlanePause::failed),
            Column.of("out of the fleet at one moment", ControlPlanePause::out),
            Column.of("rows evicted", ControlPlanePause::evicted),
            Column.of("leases lost", ControlPlanePause::lost),
            Column.of("times that leases were extended", ControlPlanePause::compensations),
            Column.of("all heard of again after", "s", ControlPlanePause::answeredAgainSeconds));

    private static final List<Column<Loss>> LOSS = List.of(
            Column.of("processes of the region", Loss::processes),
            Column.of("of them silent", Loss::silent),
            Column.of("out of the fleet after", "s", Loss::outSeconds),
            Column.of("leases of others lost", Loss::lost));

    private static final List<Column<DeletionPass>> PASSES = List.of(
            Column.of("after", "s", DeletionPass::second),
            Column.of("rows before", DeletionPass::before),
            Column.of("deleted", DeletionPass::deleted),
            Column.of("at most", DeletionPass::most));

    @Override
    @JsonProperty("breaches")
    public List<String> failures() {
        Failures failures = new Failures();
        double beatMillis = beats.latency().p99Millis();
        failures.when(
                beatMillis >= BEAT_MILLIS,
                "a heartbeat takes %.1f ms (p99), not less than %.0f ms",
                beatMillis,
                BEAT_MILLIS);
        failures.when(
                beats.failed() + beats.lost() > 0,
                "%d heartbeats failed and %d leases were lost",
                beats.failed(),
                beats.lost());
        failures.when(
                pause.lost() + pause.evicted() + pause.out() > 0,
                "after the freeze %d processes were out of the fleet, %d evicted, and %d leases lost",
                pause.out(),
                pause.evicted(),
                pause.lost());
        failures.when(
                loss.outSeconds() >= OUT_SECONDS, "the silent ones were in the fleet for %.1f s", loss.outSeconds());
        loss.steps()
                .forEach(step -> failures.when(
                        step.deleted() > step.most(),
                        "a pass deleted %d of %d rows, more than %d",
                        step.deleted(),
                        step.before(),
                        step.most()));
        failures.when(loss.lost() > 0, "%d of the others lost their leases", loss.lost());
        return failures.list();
    }

    @Override
    public ReportPage page(String command) {
        Map<String, Latencies.Percentiles> latencies =
                new TreeMap<>(Map.of("heartbeat", beats.latency(), "join", joins.latency()));
        return new ReportPage(
                "Fleet",
                "%,d processes in %,d clusters of two regions: %,.0f joined a second, and %,.0f heartbeats a second were kept."
                        .formatted(members, clusters, joins.perSecond(), beats.perSecond()),
                List.of(
                        new ReportPage.Section(
                                "Joins and heartbeats",
                                "",
                                List.of(
                                        Table.facts("Heartbeats, each process every 5 s", BEATS, beats),
                                        LatencyTable.of("How long they took", latencies))),
                        new ReportPage.Section("The control plane frozen", "", List.of(Table.facts("", PAUSE, pause))),
                        new ReportPage.Section(
                                "Many fall silent",
                                "",
                                List.of(
                                        Table.facts("", LOSS, loss),
                                        Table.of("How their rows went, pass by pass", PASSES, loss.steps())))));
    }
}
