package dev.kvstore.benchmark.presence;

import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.NewBlock;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Prompts of 1,000 small blocks each, all in one partition. Immutable. */
record ManyBlocks(int prompts) {
    /** Blocks of a prompt. */
    static final int CHAIN = 1_000;

    static final Partition PARTITION = Partition.of("presence", 16);
    private static final int BLOCK_BYTES = 512;
    private static final int WRITERS = 16;

    /** The blocks of one prompt, 0 to prompts - 1. */
    static BlockChain chain(int number) {
        return Prompt.of(PARTITION, number, CHAIN).chain();
    }

    void write(KvClient client) throws InterruptedException {
        try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < prompts; i++) {
                int number = i;
                ends.add(writers.submit(() -> write(client, Prompt.of(PARTITION, number, CHAIN))));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a block could not be stored: " + e.getMessage(), e);
        }
    }

    private static void write(KvClient client, Prompt prompt) {
        List<CompletableFuture<?>> acknowledgements = new ArrayList<>();
        try (BlockWriter writer = client.writer(PARTITION)) {
            for (int i = 0; i < CHAIN; i++) {
                ByteBuffer buffer = ByteBuffer.allocate(BLOCK_BYTES);
                Payload.fill(prompt.chain().hash(i), buffer);
                acknowledgements.add(writer.write(NewBlock.of(prompt.chain(), i, prompt.block(i), buffer)));
            }
            writer.finish();
        }
        acknowledgements.forEach(CompletableFuture::join);
    }
}
