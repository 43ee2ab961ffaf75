package dev.kvstore.benchmark.sweep.report;

import dev.kvstore.benchmark.measure.BenchReport;
import dev.kvstore.benchmark.measure.Failures;
import dev.kvstore.benchmark.report.ReportPage;
import dev.kvstore.benchmark.sweep.step.FaultCounts;
import dev.kvstore.benchmark.sweep.step.LoadRate;
import dev.kvstore.benchmark.sweep.step.Mix;
import dev.kvstore.benchmark.sweep.step.SweepFlags;
import dev.kvstore.benchmark.sweep.step.SweepStep;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that was found, with the names that the JSON has.
 *
 * @param service the measured service, for people
 * @param stockBlocks how many blocks were read
 * @param connections of each client process to each data plane
 * @param seconds of each step
 * @param steps in the order of measuring
 * @param nicGbit of the server's network cards in each direction; null if nobody said
 * @param series the figures that follow, an arrangement each
 * @param comparison of one data plane with two
 * @param faults of all steps, of the warm-up, and of reads and lookups between them
 * @param ended why the run ended before its time; null if it did not
 */
public record SweepReport(
        String system,
        int processors,
        String java,
        String service,
        Mix load,
        String data,
        int promptBlocks,
        int blockBytes,
        int stockBlocks,
        int processes,
        int connections,
        double seconds,
        int rounds,
        @Nullable String target,
        @Nullable Double nicGbit,
        List<SweepStep> steps,
        List<SweepSeries> series,
        List<Comparison> comparison,
        FaultCounts faults,
        @Nullable String ended)
        implements BenchReport {
    public SweepReport {
        steps = List.copyOf(steps);
        series = List.copyOf(series);
        comparison = List.copyOf(comparison);
    }

    /**
     * @param otherFaults outside of the steps
     * @param ended why it ended before its time; null if it did not
     */
    public static SweepReport of(
            SweepFlags flags, String service, List<SweepStep> steps, FaultCounts otherFaults, @Nullable String ended) {
        LoadRate demand = flags.demand();
        return new SweepReport(
                System.getProperty("os.name") + " " + System.getProperty("os.arch"),
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().toString(),
                service,
                flags.mix,
                flags.data.toString(),
                flags.promptBlocks,
                flags.blockBytes,
                flags.stock("").blocks(),
                flags.processes,
                flags.connections,
                flags.seconds,
                flags.rounds,
                flags.target,
                flags.nicGbit,
                steps,
                steps.stream()
                        .map(SweepStep::arrangement)
                        .distinct()
                        .flatMap(arrangement -> SweepSeries.of(arrangement, steps, demand).stream())
                        .toList(),
                Comparison.of(steps),
                steps.stream().map(SweepStep::faults).reduce(otherFaults, FaultCounts::plus),
                ended);
    }

    /** Blocks were lost or wrong, a call failed but for overload, or not everything was measured. */
    @Override
    public List<String> failures() {
        Failures failures = new Failures();
        failures.when(
                faults.all() > 0,
                "%d blocks lost, %d wrong, %d calls failed: %s",
                faults.lost(),
                faults.wrong(),
                faults.failed(),
                String.join("; ", faults.told()));
        failures.when(ended != null, "not all was measured: %s", String.valueOf(ended));
        return failures.list();
    }

    @Override
    public ReportPage page(String command) {
        return SweepPage.of(this);
    }
}
