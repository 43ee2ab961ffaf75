package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.Latencies.Percentiles;
import dev.kvstore.benchmark.sweep.report.SweepReport;
import dev.kvstore.benchmark.sweep.step.PlannedStep;
import dev.kvstore.benchmark.sweep.step.SweepFlags;
import dev.kvstore.benchmark.sweep.step.WindowFigures;
import dev.kvstore.benchmark.sweep.step.WindowFigures.Timed;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.stack.StorageKind;
import dev.kvstore.launcher.stack.StorageLatency;
import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;

/**
 * How long Reads of hot blocks of 1.2 MB take amid the sweep's load on one data plane, for other instruments: in a
 * closed loop of so many clients, and in an open one at a share of the rate that loop had first.
 *
 * @param percent of the closed loop's iterations per second
 * @param storage how much longer its calls take
 * @param slowed how much later the data plane answers
 */
public record ReadsAmid(int clients, int percent, StorageLatency storage, Duration slowed) {
    /** The figures of Reads in a round, and the iterations per second beside them. */
    public record ReadsRound(Percentiles closed, Percentiles paced, double closedIterations, double pacedIterations) {}

    /**
     * Starts a service, sweeps and takes it away.
     *
     * @param warmUp whole seconds, as is {@code time}
     * @param time of each of the two loops in each round
     * @param each takes what each round has found, those before an interrupt too
     * @throws IllegalStateException if a block was lost or wrong, or a call failed
     */
    public void measure(Duration warmUp, Duration time, int rounds, BenchProgress progress, Consumer<ReadsRound> each)
            throws IOException, InterruptedException {
        SweepFlags flags = new SweepFlags();
        flags.concurrency = List.of(clients);
        flags.rates = List.of(percent + "%");
        flags.warmUp = Math.toIntExact(warmUp.toSeconds());
        flags.seconds = Math.toIntExact(time.toSeconds());
        flags.rounds = rounds;
        SweepRun run = new SweepRun(flags, progress);
        SweepReport report = run.overStack(new SweptService.OwnStorage(StorageKind.FILESYSTEM, storage), slowed, 1);
        int results = flags.results();
        Iterator<WindowFigures> paced = run.rounds(PlannedStep.OPEN).iterator();
        for (WindowFigures closed : run.rounds(PlannedStep.CLOSED)) {
            if (paced.hasNext()) {
                WindowFigures other = paced.next();
                each.accept(new ReadsRound(
                        closed.of(Timed.READ).percentiles(),
                        other.of(Timed.READ).percentiles(),
                        closed.iterationsPerSecond(results),
                        other.iterationsPerSecond(results)));
            }
        }
        if (SweepRun.INTERRUPTED.equals(report.ended())) {
            throw new InterruptedException();
        }
        if (report.ended() != null) {
            throw new LaunchException(report.ended());
        }
        if (!report.holds()) {
            throw new IllegalStateException("the sweep's load met faults: " + report.faults());
        }
    }
}
