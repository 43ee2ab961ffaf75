package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.mainjob.MainJobCalls;
import dev.kvstore.benchmark.mainjob.MainJobOperation;
import dev.kvstore.benchmark.measure.StoredPrompts;
import java.io.IOException;
import java.util.List;

/** Lookups of a prompt that is resident: its chain of hashes is sent, and locations are left out. */
final class LookupTrial implements LimitTrial {
    static final String LOOKUP = "Lookup of 1,000 blocks";

    private static final int BLOCKS = 1_000;
    private static final int BLOCK_BYTES = 512;
    private static final List<Integer> CLIENTS = List.of(1, 8);

    @Override
    public int steps(LimitsOptions options) {
        return LimitRounds.steps(options, CLIENTS.size());
    }

    @Override
    public void run(LimitScene scene) throws IOException, InterruptedException {
        try (MeasuredDataPlane subject = MeasuredDataPlane.start(scene, "data-plane")) {
            StoredPrompts stock =
                    new StoredPrompts("limits/lookup", 1, BLOCKS, BLOCK_BYTES).write(subject.client());
            MainJobOperation lookup = MainJobCalls.of(subject.client(), stock).lookups();
            LimitRounds.run(
                    scene,
                    CLIENTS.stream()
                            .map(clients -> new LimitCase(
                                    LOOKUP,
                                    clients,
                                    time -> MeasuredDataPlane.latency(subject.measureHot(lookup, clients, time))))
                            .toList());
        }
    }
}
