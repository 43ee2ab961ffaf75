package dev.kvstore.benchmark.measure;

import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.NewBlock;
import dev.kvstore.client.WriteResult;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;

/**
 * Prompts that are stored before anything is measured. Each block's bytes follow from its name ({@link Payload}), so
 * every process that knows these four values can check them.
 *
 * @param partition of its own
 * @param count of prompts, 1 or more
 * @param promptBlocks of each prompt, 1 to {@link KvClient#MAX_LOOKUP_BLOCKS}
 * @param blockBytes length of each buffer
 */
public record StoredPrompts(String partition, int count, int promptBlocks, int blockBytes) {
    // Enough to keep a writer's stream busy.
    private static final int BUFFERS = 16;

    /** Blocks of all prompts. */
    public int blocks() {
        return count * promptBlocks;
    }

    public Partition where() {
        return Partition.of(partition);
    }

    /** @param number from 0 */
    public Prompt prompt(int number) {
        return Prompt.of(where(), number, promptBlocks);
    }

    /** The names of all blocks, a prompt each; made anew by each call. */
    public List<BlockChain> chains() {
        return IntStream.range(0, count)
                .mapToObj(number -> prompt(number).chain())
                .toList();
    }

    /**
     * Stores them, and returns when all blocks are durable.
     *
     * @return this
     * @throws KvStoreException if a block cannot be stored
     */
    public StoredPrompts write(KvClient client) throws InterruptedException {
        BlockingQueue<ByteBuffer> buffers = new ArrayBlockingQueue<>(BUFFERS);
        for (int i = 0; i < BUFFERS; i++) {
            buffers.add(ByteBuffer.allocateDirect(blockBytes));
        }
        for (int number = 0; number < count; number++) {
            write(client, prompt(number), buffers);
        }
        return this;
    }

    private static void write(KvClient client, Prompt prompt, BlockingQueue<ByteBuffer> buffers)
            throws InterruptedException {
        List<CompletableFuture<WriteResult>> acknowledgements = new ArrayList<>();
        try (BlockWriter writer = client.writer(prompt.partition(), prompt.chain())) {
            for (int i = 0; i < prompt.chain().size(); i++) {
                ByteBuffer buffer = buffers.take();
                Payload.fill(prompt.chain().hash(i), buffer);
                acknowledgements.add(writer.write(NewBlock.of(prompt.chain(), i, prompt.block(i), buffer))
                        .whenComplete((_, _) -> buffers.add(buffer)));
            }
            writer.finish();
        }
        acknowledgements.forEach(StoredPrompts::await);
    }

    /** Waits for an acknowledgement, and throws what it failed with. */
    public static void await(CompletableFuture<?> acknowledgement) {
        try {
            acknowledgement.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof KvStoreException failure ? failure : e;
        }
    }
}
