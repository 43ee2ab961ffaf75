package dev.kvstore.benchmark.demo;

import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.StorageCalls;
import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.NewBlock;
import dev.kvstore.client.Prefix;
import dev.kvstore.client.WriteResult;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/** Uses a KV store as an inference engine does: looks up, reads and verifies, computes and writes. For one thread. */
final class DemoEngine {
    static final String STORED = "every block written is acknowledged as stored";

    // As many blocks as are computed ahead of their acknowledgement.
    private static final int WRITE_BUFFERS = 16;

    private final Partition partition;
    private final int blockBytes;
    private final Checks checks;
    private final StorageCalls storageCalls;
    private final BlockingQueue<ByteBuffer> buffers = new ArrayBlockingQueue<>(WRITE_BUFFERS);

    DemoEngine(Partition partition, int blockBytes, Checks checks, StorageCalls storageCalls) {
        this.partition = partition;
        this.blockBytes = blockBytes;
        this.checks = checks;
        this.storageCalls = storageCalls;
        for (int i = 0; i < WRITE_BUFFERS; i++) {
            buffers.add(ByteBuffer.allocateDirect(blockBytes));
        }
    }

    /** How many of the prompt's blocks are stored. */
    int lookup(KvClient client, BlockChain chain, DemoPhase phase) throws InterruptedException {
        Prefix prefix = storageCalls.during(phase.lookupCalls, () -> {
            long start = System.nanoTime();
            Prefix found = client.lookup(partition, chain);
            phase.lookup.addSince(start);
            return found;
        });
        phase.lookups++;
        phase.blocksAsked += chain.size();
        phase.blocksHit += prefix.cachedBlocks();
        return prefix.cachedBlocks();
    }

    /** Streams blocks back; the check of this name holds if all came, each byte as it should be. */
    void restore(KvClient client, BlockChain chain, DemoPhase phase, String check) throws InterruptedException {
        if (chain.size() == 0) {
            return;
        }
        int restored = storageCalls.during(phase.restoreCalls, () -> stream(client, chain, phase, check));
        checks.equal(check, chain.size(), restored, "blocks restored");
    }

    private int stream(KvClient client, BlockChain chain, DemoPhase phase, String check) {
        long start = System.nanoTime();
        int restored = 0;
        try (BlockStream stream = client.read(chain)) {
            for (BlockResult result : stream) {
                if (result.index() == 0) {
                    phase.firstBlock.addSince(start);
                }
                phase.restoredBlock.addSince(start);
                if (result instanceof BlockResult.Found(Block block)) {
                    verify(block, chain, phase, check);
                    restored++;
                } else {
                    checks.that(check, false, result.toString());
                }
            }
        }
        phase.restoreNanos += System.nanoTime() - start;
        return restored;
    }

    private void verify(Block found, BlockChain chain, DemoPhase phase, String check) {
        try (Block block = found) {
            long different = Payload.firstDifference(chain.hash(block.index()), blockBytes, block.buffers());
            checks.that(check, different < 0, "block " + block.hash() + " differs at byte " + different);
            phase.blocksRestored++;
            phase.bytesRestored += block.length();
        }
    }

    /** Computes and writes a conversation's blocks from {@code first} on; returns when all are acknowledged. */
    void write(KvClient client, DemoConversation conversation, BlockChain chain, int first, DemoPhase phase)
            throws InterruptedException {
        if (first >= chain.size()) {
            return;
        }
        long acknowledgedBefore = phase.blocksWritten.get();
        storageCalls.during(phase.writeCalls, () -> {
            long start = System.nanoTime();
            try (BlockWriter writer = client.writer(partition)) {
                for (int i = first; i < chain.size(); i++) {
                    write(writer, conversation, chain, i, phase);
                }
                writer.finish();
            }
            phase.writeNanos += System.nanoTime() - start;
            return chain;
        });
        long acknowledged = phase.blocksWritten.get() - acknowledgedBefore;
        checks.equal(STORED, chain.size() - first, acknowledged, "blocks acknowledged");
    }

    @SuppressWarnings("FutureReturnValueIgnored") // The writer's finish waits for it, and a failure is not counted.
    private void write(BlockWriter writer, DemoConversation conversation, BlockChain chain, int index, DemoPhase phase)
            throws InterruptedException {
        ByteBuffer buffer = buffers.take();
        Payload.fill(chain.hash(index), buffer);
        long start = System.nanoTime();
        writer.write(NewBlock.of(chain, index, conversation.block(partition, index), buffer))
                .whenComplete((result, failure) -> {
                    buffers.add(buffer);
                    if (result != null && result.outcome() == WriteResult.Outcome.STORED && !result.differs()) {
                        phase.writeAck.addSince(start);
                        phase.blocksWritten.incrementAndGet();
                        phase.bytesWritten.addAndGet(blockBytes);
                    }
                });
    }
}
