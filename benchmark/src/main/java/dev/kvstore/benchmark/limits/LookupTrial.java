package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.mainjob.Lookups;
import dev.kvstore.benchmark.mainjob.Operation;
import dev.kvstore.benchmark.mainjob.Stock;
import java.io.IOException;
import java.util.List;

/** Lookups of a prompt that is resident: its chain of hashes is sent, and locations are left out. */
final class LookupTrial implements Trial {
    static final String LOOKUP = "Lookup of 1,000 blocks";

    private static final int BLOCKS = 1_000;
    private static final int BLOCK_BYTES = 512;
    private static final List<Integer> CLIENTS = List.of(1, 8);

    @Override
    public int steps(LimitsOptions options) {
        return Rounds.steps(options, CLIENTS.size());
    }

    @Override
    public void run(Scene scene) throws IOException, InterruptedException {
        try (Subject subject = Subject.start(scene, "data-plane")) {
            Stock stock = Stock.write(subject.client(), "limits/lookup", 1, BLOCKS, BLOCK_BYTES);
            Operation lookup =
                    new Lookups.Known(subject.client(), stock.prompts().getFirst());
            Rounds.run(
                    scene,
                    CLIENTS.stream()
                            .map(clients -> new Case(
                                    LOOKUP,
                                    clients,
                                    time -> Subject.latency(subject.measureHot(lookup, clients, time))))
                            .toList());
        }
    }
}
