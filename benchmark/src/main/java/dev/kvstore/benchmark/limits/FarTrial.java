package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.measure.Progress;
import dev.kvstore.benchmark.sweep.ReadsAmid;
import dev.kvstore.launcher.stack.StorageLatency;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;

/**
 * Reads from memory amid the sweep's load of 20 clients, whose writes go to a storage that is far away; then amid half of that
 * load, paced. Each round is a sweep of its own.
 */
final class FarTrial implements Trial {
    static final int CLIENTS = 20;
    static final String CLOSED = "Read, closed loop of the sweep";
    static final String PACED = "Read, open loop at half of that";

    private static final double SHARE = 0.5;
    private static final StorageLatency FAR = new StorageLatency(Duration.ofMillis(20), Duration.ofMillis(40));

    @Override
    public int steps(LimitsOptions options) {
        return options.rounds();
    }

    @Override
    public void run(Scene scene) throws IOException, InterruptedException {
        LimitsOptions options = scene.options();
        Progress own = new Progress(scene::say, Clock.systemUTC());
        ReadsAmid reads = new ReadsAmid(scene.home(), CLIENTS, SHARE, FAR, options.slowed());
        scene.begin();
        for (int round = 1; round <= options.rounds(); round++) {
            scene.step("round " + round + " of " + options.rounds() + ": a sweep of " + CLIENTS + " clients");
            ReadsAmid.Found found = reads.measure(options.warmUp(), options.time(), own);
            add(scene, CLOSED, CLIENTS, found.closed(), found.iterationsPerSecond());
            add(scene, PACED, 0, found.paced(), SHARE * found.iterationsPerSecond());
        }
    }

    private static void add(
            Scene scene, String what, int clients, Latencies.Percentiles read, double iterationsPerSecond) {
        Findings findings = scene.findings();
        findings.add(scene.limit(), what, clients, Quantity.P50, read.p50Millis());
        findings.add(scene.limit(), what, clients, Quantity.P99, read.p99Millis());
        findings.add(scene.limit(), what, clients, Quantity.ITERATIONS, iterationsPerSecond);
    }
}
