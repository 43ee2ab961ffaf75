package dev.kvstore.benchmark.demo;

import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.ClientCounters;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.NewBlock;
import dev.kvstore.client.WriteResult;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;

/**
 * The Java SDK.
 *
 * @param buffers the buffers of blocks that are written, all of which are there when nothing is written
 */
record JavaClient(KvClient client, BlockingQueue<ByteBuffer> buffers) implements DemoClient {
    @Override
    public int lookup(DemoPrompt prompt) {
        return client.lookup(prompt.partition(), prompt.chain()).cachedBlocks();
    }

    @Override
    public void read(DemoPrompt prompt, ReadBlocks blocks) {
        try (BlockStream stream = client.read(prompt.chain())) {
            for (BlockResult result : stream) {
                if (result instanceof BlockResult.Found(Block found)) {
                    try (Block block = found) {
                        blocks.found(block.index(), block.buffers());
                    }
                } else {
                    blocks.missing(result.index(), result.toString());
                }
            }
        }
    }

    @Override
    public void write(DemoPrompt prompt, int first, WrittenBlocks blocks) throws InterruptedException {
        try (BlockWriter writer = client.writer(prompt.partition())) {
            for (int i = first; i < prompt.size(); i++) {
                write(writer, prompt, i, blocks);
            }
            writer.finish();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The writer's finish waits for it, and a failure is not counted.
    private void write(BlockWriter writer, DemoPrompt prompt, int index, WrittenBlocks blocks)
            throws InterruptedException {
        ByteBuffer buffer = buffers.take();
        blocks.compute(index, buffer);
        long start = System.nanoTime();
        writer.write(NewBlock.of(prompt.chain(), index, prompt.block(index), buffer))
                .whenComplete((result, failure) -> {
                    buffers.add(buffer);
                    if (result != null && result.outcome() == WriteResult.Outcome.STORED && !result.differs()) {
                        blocks.stored(index, start);
                    }
                });
    }

    @Override
    public long flaws() {
        ClientCounters counters = client.counters();
        return counters.damagedBlocks() + counters.leakedBlocks();
    }

    @Override
    public String about() {
        ClientCounters counters = client.counters();
        return "by route " + counters.routeVersion() + ", " + counters.failovers()
                + " attempts were made in the other region";
    }

    @Override
    public void close() {
        client.close();
    }
}
