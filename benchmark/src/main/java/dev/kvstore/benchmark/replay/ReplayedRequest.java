package dev.kvstore.benchmark.replay;

import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.replay.ReplayTally.ReplayFlaw;
import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.NewBlock;
import dev.kvstore.client.WriteResult;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A request of an inference engine: looks up the prompt, reads its stored blocks, computes and writes the rest. A
 * block's buffer follows from its name, so each byte that is read is compared. For one thread.
 *
 * @param buffers to write from, shared by all requests: a request that takes one gives it back
 */
record ReplayedRequest(
        KvClient client,
        Partition partition,
        int blockBytes,
        Acknowledged acknowledged,
        BlockingQueue<ByteBuffer> buffers,
        ReplayTally tally) {
    void run(long[] ids) throws InterruptedException {
        TraceTokens tokens = new TraceTokens(ids, 0, ids.length);
        BlockChain chain = BlockChain.of(partition, tokens);
        try {
            int cached = lookUpAndRestore(chain);
            if (cached < chain.size()) {
                write(chain, tokens, cached);
            }
            tally.requests.increment();
            tally.blocks.add(chain.size());
            tally.cachedBlocks.add(cached);
        } catch (KvStoreException e) {
            tally.flaw(ReplayFlaw.FAILED, String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            tally.flaw(ReplayFlaw.FAILED, "a request of " + chain.size() + " blocks: " + e.getMessage());
        }
    }

    private int lookUpAndRestore(BlockChain chain) {
        long start = System.nanoTime();
        int expected = acknowledged.prefix(chain, start);
        int cached = client.lookup(partition, chain).cachedBlocks();
        tally.lookup.addSince(start);
        for (int i = cached; i < expected; i++) {
            tally.flaw(ReplayFlaw.LOST, "block " + chain.hash(i));
        }
        if (cached > 0) {
            restore(chain.prefix(cached), start);
        }
        return cached;
    }

    private void restore(BlockChain chain, long start) {
        try (BlockStream stream = client.read(chain)) {
            for (BlockResult result : stream) {
                if (result.index() == 0) {
                    tally.firstBlock.addSince(start);
                }
                take(result, chain.hash(result.index()));
            }
        }
        tally.restore.addSince(start);
    }

    private void take(BlockResult result, BlockHash hash) {
        switch (result) {
            case BlockResult.Found(Block found) -> compare(found, hash);
            case BlockResult.Missing _ -> tally.flaw(ReplayFlaw.MISSING, "block " + hash);
            case BlockResult.Failed failed -> {
                boolean damaged = failed.reason().code() == ErrorCode.DATA_LOSS;
                tally.flaw(
                        damaged ? ReplayFlaw.WRONG : ReplayFlaw.FAILED,
                        "block " + hash + ": " + failed.reason().getMessage());
            }
        }
    }

    private void compare(Block found, BlockHash hash) {
        try (Block block = found) {
            long different = Payload.firstDifference(hash, blockBytes, block.buffers());
            if (different >= 0) {
                tally.flaw(ReplayFlaw.WRONG, "block " + hash + " differs at byte " + different);
            }
            tally.readBlocks.increment();
            tally.readBytes.add(block.length());
        }
    }

    private void write(BlockChain chain, TraceTokens tokens, int first) throws InterruptedException {
        try (BlockWriter writer = client.writer(partition, chain)) {
            for (int i = first; i < chain.size(); i++) {
                write(writer, chain, tokens, i);
            }
            writer.finish();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the writer's finish waits for it
    private void write(BlockWriter writer, BlockChain chain, TraceTokens tokens, int index)
            throws InterruptedException {
        ByteBuffer buffer = buffers.take();
        boolean handedOver = false;
        try {
            BlockHash hash = chain.hash(index);
            Payload.fill(hash, buffer);
            writer.write(NewBlock.of(chain, index, tokens.block(index), buffer)).whenComplete((result, failure) -> {
                buffers.add(buffer);
                written(hash, result, failure);
            });
            handedOver = true;
        } finally {
            if (!handedOver) {
                buffers.add(buffer);
            }
        }
    }

    private void written(BlockHash hash, @Nullable WriteResult result, @Nullable Throwable failure) {
        if (result == null) {
            tally.flaw(ReplayFlaw.FAILED, "writing block " + hash + ": " + failure);
            return;
        }
        if (result.differs()) {
            tally.flaw(ReplayFlaw.WRONG, "block " + hash + " is stored with other bytes than were written");
        }
        acknowledged.add(hash, System.nanoTime());
        (result.outcome() == WriteResult.Outcome.STORED ? tally.writtenBlocks : tally.presentBlocks).increment();
    }
}
