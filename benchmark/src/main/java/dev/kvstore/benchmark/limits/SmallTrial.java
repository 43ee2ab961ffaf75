package dev.kvstore.benchmark.limits;

import dev.kvstore.benchmark.mainjob.MainJobCalls;
import dev.kvstore.benchmark.mainjob.OperationMeasurement;
import dev.kvstore.benchmark.measure.StoredPrompts;
import java.io.IOException;
import java.util.List;
import java.util.Map;

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
                    new StoredPrompts("limits/small", PROMPTS, PROMPT_BLOCKS, BLOCK_BYTES).write(subject.client());
            MainJobCalls calls = MainJobCalls.of(subject.client(), stock);
            List<LimitCase> cases = scene.options().clients().stream()
                    .map(clients -> new LimitCase(READ, clients, time -> {
                        calls.heat();
                        OperationMeasurement measurement = subject.measureHot(calls.streams(), clients, time);
                        return Map.of(Quantity.BLOCKS, measurement.blocks() / measurement.seconds());
                    }))
                    .toList();
            LimitRounds.run(scene, cases);
        }
    }
}
