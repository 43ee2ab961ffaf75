package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.limits.LimitScene.LimitCase;
import dev.kvstore.benchmark.mainjob.ComputedPrompts;
import dev.kvstore.benchmark.mainjob.MainJobLookups;
import dev.kvstore.benchmark.mainjob.MainJobOperation;
import dev.kvstore.benchmark.mainjob.MainJobReads;
import dev.kvstore.benchmark.mainjob.OperationMeasurement;
import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.measure.DataPlaneUse;
import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.measure.RoundsCommand.RoundPlan;
import dev.kvstore.benchmark.sweep.ReadsAmid;
import dev.kvstore.launcher.stack.StorageLatency;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Reads and lookups of blocks in memory, and of blocks in a storage that is far away. */
final class TierTrials {
    static final String SMALL = "StreamingRead, 512 B";
    static final String LOOKUP = "Lookup of 1,000 blocks";
    static final String STREAM = "StreamingRead of 64 blocks, cold";
    static final String COLD_READ = "Read, cold";
    static final String TRANSFER = "StreamingRead of 64 blocks, from memory";
    static final String CLOSED = "Read, closed loop of the sweep";
    static final String PACED = "Read, open loop at half of that";
    static final int FAR_CLIENTS = 20;

    private static final int SMALL_BYTES = 512;
    private static final int MANY_BLOCKS = 1_000;
    private static final int SMALL_PROMPTS = 4;
    private static final int COLD_PROMPTS = 2;
    private static final double MOST = 0.99;
    private static final int PERCENT = 50;
    private static final StorageLatency COLD = new StorageLatency(Duration.ofMillis(20), Duration.ZERO);
    private static final StorageLatency FAR = new StorageLatency(Duration.ofMillis(20), Duration.ofMillis(40));

    // One load of three operations, each warmed up by itself elsewhere, that waits for a storage far away: after half
    // of that the JITs of both ends still take a fifth of the processors.
    private static final int WARM_UPS = 6;

    private TierTrials() {}

    /** Blocks of 512 bytes from memory, 1,000 a stream: what a block costs, rather than its bytes. */
    static void small(LimitScene scene) throws IOException, InterruptedException {
        try (MeasuredDataPlane subject = MeasuredDataPlane.start(scene, "data-plane")) {
            ComputedPrompts stock = subject.stock("limits/small", SMALL_PROMPTS, MANY_BLOCKS, SMALL_BYTES);
            MainJobOperation read = new MainJobReads.Streaming(subject.client(), stock, true, new AtomicLong());
            scene.run(scene.options().clients().stream()
                    .map(clients -> new LimitCase(SMALL, clients, time -> {
                        OperationMeasurement found = subject.measureHot(read, clients, time);
                        return Map.of(Quantity.BLOCKS, found.blocks() / found.seconds());
                    }))
                    .toList());
        }
    }

    /** Lookups of a prompt that is resident: its chain of hashes is sent, and locations are left out. */
    static void lookup(LimitScene scene) throws IOException, InterruptedException {
        try (MeasuredDataPlane subject = MeasuredDataPlane.start(scene, "data-plane")) {
            ComputedPrompts stock = subject.stock("limits/lookup", 1, MANY_BLOCKS, SMALL_BYTES);
            MainJobOperation lookup =
                    new MainJobLookups(subject.client(), stock.prompts().getFirst());
            scene.run(List.of(
                    new LimitCase(LOOKUP, 1, time -> latency(subject.measureHot(lookup, 1, time))),
                    new LimitCase(LOOKUP, 8, time -> latency(subject.measureHot(lookup, 8, time)))));
        }
    }

    /**
     * A stream of 64 blocks from a storage that is far away, beside one Read from there and the same stream from memory:
     * were all 64 asked for at once, and handed on as they come, it would take as long as these two together. Two data
     * planes: one keeps nothing in memory, so that whatever it reads is cold.
     */
    static void cold(LimitScene scene) throws IOException, InterruptedException {
        try (MeasuredDataPlane far =
                        MeasuredDataPlane.start(scene, "cold", Map.of("KVSTORE_MEMORY_TIER_SIZE", "0"), COLD);
                MeasuredDataPlane near = MeasuredDataPlane.start(scene, "hot")) {
            ComputedPrompts cold = far.stock("limits/cold", COLD_PROMPTS);
            ComputedPrompts hot = near.stock("limits/cold", COLD_PROMPTS);
            MainJobOperation stream = new MainJobReads.Streaming(far.client(), cold, false, new AtomicLong());
            MainJobOperation read = new MainJobReads.Unary(far.client(), cold, new AtomicLong());
            MainJobOperation transfer = new MainJobReads.Streaming(near.client(), hot, true, new AtomicLong());
            scene.run(List.of(
                    new LimitCase(STREAM, 1, time -> latency(measureCold(far, stream, time))),
                    new LimitCase(COLD_READ, 1, time -> latency(measureCold(far, read, time))),
                    new LimitCase(TRANSFER, 1, time -> latency(near.measureHot(transfer, 1, time)))));
        }
    }

    private static OperationMeasurement measureCold(
            MeasuredDataPlane subject, MainJobOperation operation, Duration time)
            throws IOException, InterruptedException {
        OperationMeasurement measurement = subject.measure(operation, 1, time);
        double read = DataPlaneUse.reads(measurement.storageCalls());
        if (read < MOST * measurement.blocks()) {
            throw new IllegalStateException(
                    "of %,d blocks only %.0f came from storage".formatted(measurement.blocks(), read));
        }
        return measurement;
    }

    private static Map<Quantity, Double> latency(OperationMeasurement measurement) {
        Latencies.Percentiles latency = measurement.latency();
        return Map.of(Quantity.P50, latency.p50Millis(), Quantity.P99, latency.p99Millis());
    }

    /**
     * Reads from memory amid the sweep's load of 20 clients, whose writes go to a storage that is far away; and amid half
     * of that load, paced.
     */
    static void far(LimitScene scene) throws IOException, InterruptedException {
        RoundPlan plan = scene.options().plan();
        scene.say("a sweep of " + FAR_CLIENTS + " clients");
        new ReadsAmid(FAR_CLIENTS, PERCENT, FAR, scene.options().slowed())
                .measure(
                        plan.warmUp().multipliedBy(WARM_UPS),
                        plan.time(),
                        plan.rounds(),
                        new BenchProgress(scene::say, Clock.systemUTC()),
                        round -> {
                            add(scene, CLOSED, FAR_CLIENTS, round.closed(), round.closedIterations());
                            add(scene, PACED, 0, round.paced(), round.pacedIterations());
                        });
    }

    private static void add(
            LimitScene scene, String what, int clients, Latencies.Percentiles read, double iterationsPerSecond) {
        scene.add(what, clients, Quantity.P50, read.p50Millis());
        scene.add(what, clients, Quantity.P99, read.p99Millis());
        scene.add(what, clients, Quantity.ITERATIONS, iterationsPerSecond);
    }
}
