package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.Latencies.Percentiles;
import dev.kvstore.launcher.Home;
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
 * @param share of the closed loop's iterations per second
 * @param storage how much longer its calls take
 * @param slowed how much later the data plane answers
 */
public record ReadsAmid(Home home, int clients, double share, StorageLatency storage, Duration slowed) {
    private static final int BLOCK_BYTES = 1_200_000;
    private static final int PROMPT_BLOCKS = 16;
    private static final int CONNECTIONS = 2;
    private static final long MOST_WRITTEN = 2_000_000_000;
    private static final Duration LEAD = Duration.ofSeconds(1);

    /** The figures of Reads in a round, and the iterations per second beside them. */
    public record ReadsRound(Percentiles closed, Percentiles paced, double closedIterations, double pacedIterations) {}

    /**
     * Starts a service, sweeps and takes it away.
     *
     * @param time of each of the two loops in each round
     * @param each takes what each round has found, those before an interrupt too
     * @throws IllegalStateException if a block was lost or wrong, or a call failed
     */
    public void measure(Duration warmUp, Duration time, int rounds, BenchProgress progress, Consumer<ReadsRound> each)
            throws IOException, InterruptedException {
        SweepRun run = new SweepRun(home, options(warmUp, time, rounds), progress);
        SweepReport report = run.run(new OwnService.OwnStorage(StorageKind.FILESYSTEM, storage), slowed, 1);
        Iterator<WindowFigures> paced = run.rounds(PlannedStep.OPEN).iterator();
        for (WindowFigures closed : run.rounds(PlannedStep.CLOSED)) {
            if (paced.hasNext()) {
                each.accept(round(closed, paced.next()));
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

    private SweepOptions options(Duration warmUp, Duration time, int rounds) {
        return new SweepOptions(
                Mix.MIXED,
                Data.HOT,
                PROMPT_BLOCKS,
                BLOCK_BYTES,
                Room.blocks(Data.HOT, BLOCK_BYTES),
                List.of(clients),
                List.of(new OpenLoopRate(share, true)),
                1,
                CONNECTIONS,
                time,
                LEAD,
                warmUp,
                rounds,
                MOST_WRITTEN,
                null);
    }

    private static ReadsRound round(WindowFigures closed, WindowFigures paced) {
        return new ReadsRound(
                closed.read().percentiles(),
                paced.read().percentiles(),
                closed.iterationsPerSecond(),
                paced.iterationsPerSecond());
    }
}
