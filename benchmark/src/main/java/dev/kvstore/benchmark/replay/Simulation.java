package dev.kvstore.benchmark.replay;

import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.trace.Survey;
import dev.kvstore.benchmark.trace.Trace;
import dev.kvstore.dataplane.tier.policy.EvictionPolicy;
import dev.kvstore.dataplane.tier.policy.LeastRecentlyUsed;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Replays a trace in memory: the blocks that a data plane would keep, beside the blocks that other policies would keep.
 *
 * @param capacities in blocks, one simulation each
 */
record Simulation(Trace trace, Survey survey, List<Integer> capacities) {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** All capacities; those that were done if this thread is interrupted meanwhile. */
    SimulationReport run(BenchProgress progress) throws IOException {
        NumberedTrace numbered = NumberedTrace.read(trace, survey);
        double unlimited = SimulatedTier.unlimitedHitRatio(numbered);
        String policy = EvictionPolicy.inService(System::nanoTime).getClass().getSimpleName();
        List<SimulationReport.HitCapacity> done = new ArrayList<>();
        progress.plan(capacities.size());
        for (int blocks : capacities) {
            if (Thread.interrupted()) {
                break;
            }
            progress.step("%,d blocks".formatted(blocks));
            done.add(new SimulationReport.HitCapacity(
                    blocks,
                    List.of(
                            figures(policy, numbered, blocks, EvictionPolicy::inService),
                            figures("LRU", numbered, blocks, _ -> new LeastRecentlyUsed<>()),
                            figures("W-TinyLFU", numbered, blocks, _ -> new WindowTinyLfu<>(blocks)),
                            figures("S3-FIFO", numbered, blocks, _ -> new S3Fifo<>(blocks))),
                    Clairvoyant.hitRatio(numbered, blocks)));
        }
        return new SimulationReport(
                survey, policy, numbered.distinct(), unlimited, done, done.size() < capacities.size());
    }

    private static SimulationReport.PolicyFigures figures(
            String name, NumberedTrace trace, int blocks, Function<LongSupplier, EvictionPolicy<Integer>> policy) {
        long begun = THREADS.getCurrentThreadCpuTime();
        double hitRatio = SimulatedTier.hitRatio(trace, blocks, policy);
        double nanos = THREADS.getCurrentThreadCpuTime() - begun;
        return new SimulationReport.PolicyFigures(name, hitRatio, nanos / trace.blocks().length);
    }
}
