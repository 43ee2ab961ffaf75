package dev.kvstore.benchmark.demo;

import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.ClientCounters;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.NewBlock;
import dev.kvstore.client.WriteResult;
import dev.kvstore.launcher.stack.LocalStack;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * The Java SDK.
 *
 * @param buffers the buffers of blocks that are written, all of which are there when nothing is written
 */
record JavaClient(KvClient client, BlockingQueue<ByteBuffer> buffers) implements DemoClient {
    // As many blocks as are computed ahead of their acknowledgement.
    private static final int WRITE_BUFFERS = 16;

    /** Clients with this key. */
    static DemoClients clients(String key, int blockBytes) {
        BlockingQueue<ByteBuffer> buffers = new ArrayBlockingQueue<>(WRITE_BUFFERS);
        for (int i = 0; i < WRITE_BUFFERS; i++) {
            buffers.add(ByteBuffer.allocateDirect(blockBytes));
        }
        return endpoint -> new JavaClient(
                KvClient.builder()
                        .endpoints(endpoint)
                        .resource(LocalStack.RESOURCE)
                        .apiKey(key)
                        .build(),
                buffers);
    }

    @Override
    public int lookup(Prompt prompt) {
        return client.lookup(prompt.partition(), prompt.chain()).cachedBlocks();
    }

    @Override
    public void read(Prompt prompt, ReadBlocks blocks) {
        try (BlockStream stream = client.read(prompt.chain())) {
            for (BlockResult result : stream) {
                if (result instanceof BlockResult.Found(Block found)) {
                    try (Block block = found) {
                        blocks.take(block.index(), block.buffers(), "");
                    }
                } else {
                    blocks.take(result.index(), List.of(), result.toString());
                }
            }
        }
    }

    @Override
    public void write(Prompt prompt, int first, Acknowledgements blocks) throws InterruptedException {
        try (BlockWriter writer = client.writer(prompt.partition())) {
            for (int i = first; i < prompt.size(); i++) {
                write(writer, prompt, i, blocks);
            }
            writer.finish();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The writer's finish waits for it, and a failure is not counted.
    private void write(BlockWriter writer, Prompt prompt, int index, Acknowledgements blocks)
            throws InterruptedException {
        ByteBuffer buffer = buffers.take();
        Payload.fill(prompt.chain().hash(index), buffer);
        long start = System.nanoTime();
        writer.write(NewBlock.of(prompt.chain(), index, prompt.block(index), buffer))
                .whenComplete((result, failure) -> {
                    buffers.add(buffer);
                    if (result != null && result.outcome() == WriteResult.Outcome.STORED && !result.differs()) {
                        blocks.stored(start);
                    }
                });
    }

    @Override
    public long flaws() {
        ClientCounters counters = client.counters();
        return counters.damagedBlocks() + counters.leakedBlocks();
    }

    @Override
    public void close() {
        client.close();
    }
}
