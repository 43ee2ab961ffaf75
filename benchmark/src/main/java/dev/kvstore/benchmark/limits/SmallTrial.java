package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.mainjob.Operation;
import dev.kvstore.benchmark.mainjob.Reads;
import dev.kvstore.benchmark.mainjob.Stock;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Blocks of 512 bytes from memory, 1,000 a stream: what a block costs, rather than its bytes. */
final class SmallTrial implements Trial {
    static final String READ = "StreamingRead, 512 B";

    private static final int BLOCK_BYTES = 512;
    private static final int PROMPTS = 4;
    private static final int PROMPT_BLOCKS = 1_000;

    @Override
    public int steps(LimitsOptions options) {
        return Rounds.steps(options, options.clients().size());
    }

    @Override
    public void run(Scene scene) throws IOException, InterruptedException {
        try (Subject subject = Subject.start(scene, "data-plane")) {
            Stock stock = Stock.write(subject.client(), "limits/small", PROMPTS, PROMPT_BLOCKS, BLOCK_BYTES);
            Operation read =
                    new Reads.Streaming(READ, Operation.Unit.BLOCKS, subject.client(), stock, true, new AtomicLong());
            List<Case> cases = scene.options().clients().stream()
                    .map(clients -> new Case(
                            READ,
                            clients,
                            time -> Map.of(
                                    Quantity.BLOCKS,
                                    subject.measureHot(read, clients, time).rate(read.unit()))))
                    .toList();
            Rounds.run(scene, cases);
        }
    }
}
