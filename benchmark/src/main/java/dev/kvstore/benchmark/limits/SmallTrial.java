package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.mainjob.MainJobOperation;
import dev.kvstore.benchmark.mainjob.MainJobReads;
import dev.kvstore.benchmark.mainjob.OperationMeasurement;
import dev.kvstore.benchmark.mainjob.StoredPrompts;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Blocks of 512 bytes from memory, 1,000 a stream: what a block costs, rather than its bytes. */
final class SmallTrial implements LimitTrial {
    static final String READ = "StreamingRead, 512 B";

    private static final int BLOCK_BYTES = 512;
    private static final int PROMPTS = 4;
    private static final int PROMPT_BLOCKS = 1_000;

    @Override
    public int steps(LimitsOptions options) {
        return LimitRounds.steps(options, options.clients().size());
    }

    @Override
    public void run(LimitScene scene) throws IOException, InterruptedException {
        try (MeasuredDataPlane subject = MeasuredDataPlane.start(scene, "data-plane")) {
            StoredPrompts stock =
                    StoredPrompts.write(subject.client(), "limits/small", PROMPTS, PROMPT_BLOCKS, BLOCK_BYTES);
            MainJobOperation read = new MainJobReads.Streaming(READ, subject.client(), stock, true, new AtomicLong());
            List<LimitCase> cases = scene.options().clients().stream()
                    .map(clients -> new LimitCase(
                            READ,
                            clients,
                            time -> Map.of(Quantity.BLOCKS, blocksPerSecond(subject.measureHot(read, clients, time)))))
                    .toList();
            LimitRounds.run(scene, cases);
        }
    }

    private static double blocksPerSecond(OperationMeasurement measurement) {
        return measurement.blocks() / measurement.seconds();
    }
}
