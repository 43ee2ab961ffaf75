package dev.kvstore.benchmark.train;

import dev.kvstore.benchmark.mainjob.ClientSample;
import dev.kvstore.benchmark.mainjob.MainJobLookups;
import dev.kvstore.benchmark.mainjob.MainJobOperation;
import dev.kvstore.benchmark.mainjob.MainJobReads;
import dev.kvstore.benchmark.mainjob.StoredPrompts;
import dev.kvstore.client.KvClient;
import dev.kvstore.launcher.stack.LocalStack;
import dev.kvstore.launcher.stack.StackDataPlane;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Typical work of a data plane for a few seconds: writes, lookups, reads, of big blocks and of small ones. */
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
                StoredPrompts stock = StoredPrompts.write(client, "train/" + bytes, PROMPTS, BLOCKS, bytes);
                times(new MainJobLookups(client, stock.prompts().getFirst()));
                times(new MainJobReads.Unary(client, stock, new AtomicLong()));
                times(new MainJobReads.Streaming(client, stock, false, new AtomicLong()));
            }
        }
        // Monitoring asks for these pages.
        for (StackDataPlane dataPlane : stack.dataPlanes()) {
            var _ = dataPlane.metrics();
        }
    }

    private static void times(MainJobOperation operation) throws InterruptedException {
        ClientSample sample = new ClientSample();
        for (int i = 0; i < TIMES; i++) {
            operation.once(sample);
        }
    }
}
