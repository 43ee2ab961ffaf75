package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
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
 * The blocks that are read: prompts of some blocks, each block's bytes following from its name, so that every process
 * that knows these four can check them.
 *
 * @param partition of its own
 * @param prompts 1 or more
 * @param promptBlocks of each prompt
 * @param blockBytes length of each buffer
 */
record SweepStock(String partition, int prompts, int promptBlocks, int blockBytes) {
    // Enough to keep a writer's stream busy.
    private static final int BUFFERS = 16;

    int blocks() {
        return prompts * promptBlocks;
    }

    Partition where() {
        return Partition.of(partition);
    }

    /** The names of all blocks, a prompt each. */
    List<BlockChain> chains() {
        return IntStream.range(0, prompts)
                .mapToObj(number -> prompt(number).chain())
                .toList();
    }

    private Prompt prompt(int number) {
        return Prompt.of(where(), number, promptBlocks);
    }

    /** Stores them, and returns when all are durable. */
    void write(KvClient client) throws InterruptedException {
        BlockingQueue<ByteBuffer> buffers = new ArrayBlockingQueue<>(BUFFERS);
        for (int i = 0; i < BUFFERS; i++) {
            buffers.add(ByteBuffer.allocateDirect(blockBytes));
        }
        for (int number = 0; number < prompts; number++) {
            write(client, prompt(number), buffers);
        }
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
        acknowledgements.forEach(SweepStock::await);
    }

    /** Waits for it, and throws what it failed with. */
    static void await(CompletableFuture<?> acknowledgement) {
        try {
            acknowledgement.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof KvStoreException failure ? failure : e;
        }
    }

    /** Reads all once, compares each byte, and tells of what is missing or wrong. */
    void read(KvClient client, Faults faults) {
        for (BlockChain chain : chains()) {
            try (BlockStream stream = client.read(chain)) {
                for (BlockResult result : stream) {
                    switch (result) {
                        case BlockResult.Found(Block found) -> {
                            try (Block block = found) {
                                faults.compare(chain.hash(block.index()), blockBytes, block);
                            }
                        }
                        case BlockResult.Missing missing ->
                            faults.lost("block " + chain.hash(missing.index()) + " is not found");
                        case BlockResult.Failed failed -> faults.add(failed.reason());
                    }
                }
            }
        }
    }
}
