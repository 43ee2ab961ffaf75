package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.sweep.ReadsAmid;
import dev.kvstore.launcher.stack.StorageLatency;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;

/**
 * Reads from memory amid the sweep's load of 20 clients, whose writes go to a storage that is far away; and amid half
 * of that load, paced.
 */
final class FarTrial implements LimitTrial {
    static final int CLIENTS = 20;
    static final String CLOSED = "Read, closed loop of the sweep";
    static final String PACED = "Read, open loop at half of that";

    private static final int PERCENT = 50;
    private static final StorageLatency FAR = new StorageLatency(Duration.ofMillis(20), Duration.ofMillis(40));

    // One load of three operations, each warmed up by itself elsewhere, that waits for a storage far away: after half
    // of
    // that the JITs of both ends still take a fifth of the processors.
    private static final int WARM_UPS = 6;

    @Override
    public int steps(LimitsOptions options) {
        return 1;
    }

    @Override
    public void run(LimitScene scene) throws IOException, InterruptedException {
        LimitsOptions options = scene.options();
        scene.begin();
        scene.step("a sweep of " + CLIENTS + " clients");
        new ReadsAmid(CLIENTS, PERCENT, FAR, options.slowed())
                .measure(
                        options.warmUp().multipliedBy(WARM_UPS),
                        options.time(),
                        options.rounds(),
                        new BenchProgress(scene::say, Clock.systemUTC()),
                        round -> {
                            add(scene, CLOSED, CLIENTS, round.closed(), round.closedIterations());
                            add(scene, PACED, 0, round.paced(), round.pacedIterations());
                        });
    }

    private static void add(
            LimitScene scene, String what, int clients, Latencies.Percentiles read, double iterationsPerSecond) {
        LimitFindings findings = scene.findings();
        findings.add(scene.limit(), what, clients, Quantity.P50, read.p50Millis());
        findings.add(scene.limit(), what, clients, Quantity.P99, read.p99Millis());
        findings.add(scene.limit(), what, clients, Quantity.ITERATIONS, iterationsPerSecond);
    }
}
