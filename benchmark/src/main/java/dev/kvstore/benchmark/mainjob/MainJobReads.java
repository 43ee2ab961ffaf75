package dev.kvstore.benchmark.mainjob;

import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.KvClient;
import dev.kvstore.protocol.block.BlockHash;
import java.util.concurrent.atomic.AtomicLong;

/** Reads of stored prompts. The SDK verifies every checksum; besides, each 64th block is compared byte for byte. */
public final class MainJobReads {
    private static final int COMPARED = 64;

    private MainJobReads() {}

    /** Block after block, each in one message, out of memory. */
    public record Unary(KvClient client, ComputedPrompts stock, AtomicLong number) implements MainJobOperation {
        @Override
        public void prepare() {
            heat(client, stock);
        }

        @Override
        public void once(ClientSample sample) {
            long mine = number.getAndIncrement();
            int prompts = stock.prompts().size();
            Prompt prompt = stock.prompts().get((int) (mine % prompts));
            int index = (int) (mine / prompts % prompt.chain().size());
            long start = System.nanoTime();
            Block block = client.readBlock(prompt.chain().location(index));
            sample.latency.addSince(start);
            take(block, prompt.chain().hash(index), mine, stock.blockBytes(), sample);
        }
    }

    /**
     * Prompt after prompt, each as one stream.
     *
     * @param heated whether all is brought into memory before; if not, the stock must be more than fits there
     */
    public record Streaming(KvClient client, ComputedPrompts stock, boolean heated, AtomicLong number)
            implements MainJobOperation {
        @Override
        public void prepare() {
            if (heated) {
                heat(client, stock);
            }
        }

        @Override
        public void once(ClientSample sample) {
            int mine = (int) (number.getAndIncrement() % stock.prompts().size());
            stream(client, stock.prompts().get(mine), stock.blockBytes(), sample);
        }
    }

    /** Reads all of it once, which brings it into memory as far as there is room. */
    public static void heat(KvClient client, ComputedPrompts stock) {
        ClientSample ignored = new ClientSample();
        stock.prompts().forEach(prompt -> stream(client, prompt, stock.blockBytes(), ignored));
    }

    private static void stream(KvClient client, Prompt prompt, int blockBytes, ClientSample sample) {
        long start = System.nanoTime();
        try (BlockStream stream = client.read(prompt.chain())) {
            for (BlockResult result : stream) {
                if (!(result instanceof BlockResult.Found(Block block))) {
                    throw new IllegalStateException("a stored block did not come back: " + result);
                }
                take(block, prompt.chain().hash(result.index()), result.index(), blockBytes, sample);
            }
        }
        sample.latency.addSince(start);
    }

    private static void take(Block taken, BlockHash hash, long number, int blockBytes, ClientSample sample) {
        try (Block block = taken) {
            if (number % COMPARED == 0) {
                long different = Payload.firstDifference(hash, blockBytes, block.buffers());
                if (different >= 0) {
                    throw new IllegalStateException("block " + hash + " differs at byte " + different);
                }
            }
            sample.blocks.increment();
            sample.bytes.add(block.length());
        }
    }
}
