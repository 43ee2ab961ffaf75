package dev.kvstore.benchmark.train;

import dev.kvstore.benchmark.mainjob.Lookups;
import dev.kvstore.benchmark.mainjob.Operation;
import dev.kvstore.benchmark.mainjob.Reads;
import dev.kvstore.benchmark.mainjob.Sample;
import dev.kvstore.benchmark.mainjob.Stock;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.stack.DataPlane;
import dev.kvstore.launcher.stack.LocalStack;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** What a data plane does all day, for a few seconds: writes, lookups, reads, of big blocks and of small ones. */
final class Exercise {
    private static final int PROMPTS = 2;
    private static final int BLOCKS = 64;
    private static final List<Integer> BLOCK_BYTES = List.of(1_200_000, 4_096);
    private static final int TIMES = 25;

    private Exercise() {}

    static void run(LocalStack stack) throws InterruptedException {
        try (KvClient client = KvClient.builder()
                .endpoints(stack.endpoints().getFirst())
                .resource(LocalStack.RESOURCE)
                .apiKey(stack.key().text())
                .build()) {
            for (int bytes : BLOCK_BYTES) {
                Stock stock = Stock.write(client, "train/" + bytes, PROMPTS, BLOCKS, bytes);
                times(new Lookups.Known(client, stock.prompts().getFirst()));
                times(new Reads.Unary(client, stock, new AtomicLong()));
                times(new Reads.Streaming("train", Operation.Unit.BLOCKS, client, stock, false, new AtomicLong()));
            }
        }
        // What watches it asks for these.
        for (DataPlane dataPlane : stack.dataPlanes()) {
            var _ = dataPlane.metrics();
        }
    }

    private static void times(Operation operation) throws InterruptedException {
        Sample sample = new Sample();
        for (int i = 0; i < TIMES; i++) {
            operation.once(sample);
        }
    }
}
