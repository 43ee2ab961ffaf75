package dev.kvstore.benchmark.replay;

import dev.kvstore.benchmark.measure.BenchProgress;
import dev.kvstore.benchmark.trace.Survey;
import dev.kvstore.benchmark.trace.Trace;
import dev.kvstore.dataplane.tier.policy.EvictionPolicy;
import dev.kvstore.dataplane.tier.policy.LeastRecentlyUsed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Which blocks of a trace a data plane would keep.
 *
 * @param capacities in blocks, one simulation each
 */
record Simulation(Trace trace, Survey survey, List<Integer> capacities) {
    /** All capacities; those that were done if this thread is interrupted meanwhile. */
    SimulationReport run(BenchProgress progress) throws IOException {
        NumberedTrace numbered = NumberedTrace.read(trace, survey);
        double unlimited = SimulatedTier.unlimitedHitRatio(numbered);
        List<SimulationReport.HitCapacity> done = new ArrayList<>();
        progress.plan(capacities.size());
        for (int blocks : capacities) {
            if (Thread.interrupted()) {
                break;
            }
            progress.step("%,d blocks".formatted(blocks));
            done.add(new SimulationReport.HitCapacity(
                    blocks,
                    SimulatedTier.hitRatio(numbered, blocks, EvictionPolicy::inService),
                    SimulatedTier.hitRatio(numbered, blocks, _ -> new LeastRecentlyUsed<>()),
                    Clairvoyant.hitRatio(numbered, blocks)));
        }
        return new SimulationReport(
                survey,
                EvictionPolicy.inService(System::nanoTime).getClass().getSimpleName(),
                numbered.distinct(),
                unlimited,
                done,
                done.size() < capacities.size());
    }
}
