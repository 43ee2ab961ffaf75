package dev.kvstore.benchmark.mainjob;

import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.NewBlock;
import dev.kvstore.client.WriteResult;
import dev.kvstore.protocol.block.Partition;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

/**
 * Prompts that are stored before anything is measured; each block's buffer follows from its name.
 *
 * @param blockBytes length of each buffer
 */
public record StoredPrompts(List<Prompt> prompts, int blockBytes) {
    private static final int BUFFERS = 16;

    public static StoredPrompts write(KvClient client, String partition, int prompts, int blocks, int blockBytes)
            throws InterruptedException {
        Partition where = Partition.of(partition);
        StoredPrompts stock = new StoredPrompts(
                LongStream.range(0, prompts)
                        .mapToObj(number -> Prompt.of(where, number, blocks))
                        .toList(),
                blockBytes);
        BlockingQueue<ByteBuffer> buffers = new ArrayBlockingQueue<>(BUFFERS);
        for (int i = 0; i < BUFFERS; i++) {
            buffers.add(ByteBuffer.allocateDirect(blockBytes));
        }
        for (Prompt prompt : stock.prompts) {
            stock.write(client, prompt, buffers);
        }
        return stock;
    }

    private void write(KvClient client, Prompt prompt, BlockingQueue<ByteBuffer> buffers) throws InterruptedException {
        List<CompletableFuture<WriteResult>> acknowledgements = new ArrayList<>();
        try (BlockWriter writer = client.writer(prompt.partition())) {
            for (int i = 0; i < prompt.chain().size(); i++) {
                ByteBuffer buffer = buffers.take();
                Payload.fill(prompt.chain().hash(i), buffer);
                acknowledgements.add(writer.write(NewBlock.of(prompt.chain(), i, prompt.block(i), buffer))
                        .whenComplete((_, _) -> buffers.add(buffer)));
            }
            writer.finish();
        }
        acknowledgements.forEach(CompletableFuture::join);
    }
}
