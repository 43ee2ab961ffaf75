package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.Latencies.Percentiles;
import dev.kvstore.benchmark.measure.Progress;
import dev.kvstore.launcher.Home;
import dev.kvstore.launcher.LaunchException;
import dev.kvstore.launcher.stack.StorageKind;
import dev.kvstore.launcher.stack.StorageLatency;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * How long Reads of hot blocks of 1.2 MB take amid the sweep's load on one data plane, for other instruments: in a closed loop of so many
 * clients, and in an open one at a share of its rate.
 *
 * @param share of the closed loop's iterations per second
 * @param storage how much longer its calls take
 * @param slowed how much later the data plane answers
 */
public record ReadsAmid(Home home, int clients, double share, StorageLatency storage, Duration slowed) {
    private static final int BLOCK_BYTES = 1_200_000;
    private static final int CONNECTIONS = 2;
    private static final long MOST_WRITTEN = 2_000_000_000;
    private static final Duration LEAD = Duration.ofSeconds(1);

    /**
     * What a sweep has found.
     *
     * @param iterationsPerSecond of the closed loop
     */
    public record Found(Percentiles closed, Percentiles paced, double iterationsPerSecond) {}

    /**
     * Starts a service, sweeps once and takes it away.
     *
     * @param time of each of the two loops
     * @throws IllegalStateException if a block was lost or wrong, or a call failed
     */
    public Found measure(Duration warmUp, Duration time, Progress progress) throws IOException, InterruptedException {
        SweepOptions options = new SweepOptions(
                Data.HOT,
                BLOCK_BYTES,
                Room.blocks(Data.HOT, BLOCK_BYTES),
                List.of(clients),
                List.of(new Rate(share, true)),
                1,
                CONNECTIONS,
                time,
                LEAD,
                warmUp,
                1,
                MOST_WRITTEN,
                null);
        SweepReport report = new SweepRun(home, options, progress)
                .run(new OwnService.Storage(StorageKind.FILESYSTEM, storage), slowed, 1);
        if (SweepRun.INTERRUPTED.equals(report.ended())) {
            throw new InterruptedException();
        }
        if (report.ended() != null) {
            throw new LaunchException(report.ended());
        }
        if (!report.holds()) {
            throw new IllegalStateException("the sweep's load met faults: " + report.faults());
        }
        Step closed = step(report, Plan.CLOSED);
        return new Found(
                closed.read(),
                step(report, Plan.OPEN).read(),
                closed.iterationsPerSecond().median());
    }

    private static Step step(SweepReport report, String loop) {
        return report.steps().stream()
                .filter(step -> step.loop().equals(loop))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the sweep's " + loop + " loop did nothing"));
    }
}
