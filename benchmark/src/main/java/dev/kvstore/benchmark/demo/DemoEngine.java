package dev.kvstore.benchmark.demo;

import dev.kvstore.benchmark.measure.DataPlaneUse;
import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.protocol.block.BlockHash;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Supplier;

/** Uses a KV store as an inference engine does: looks up, reads and verifies, computes and writes. For one thread. */
record DemoEngine(int blockBytes, Checks checks, Supplier<DataPlaneUse> use) {
    static final String STORED = "every block written is acknowledged as stored";

    /** How many of the prompt's blocks are stored. */
    int lookup(DemoClient client, Prompt prompt, DemoPhase phase) throws InterruptedException {
        int found = DataPlaneUse.during(use, phase.lookupCalls, () -> {
            long start = System.nanoTime();
            int blocks = client.lookup(prompt);
            phase.lookup.addSince(start);
            return blocks;
        });
        phase.lookups++;
        phase.blocksAsked += prompt.size();
        phase.blocksHit += found;
        return found;
    }

    /** Streams blocks back; the check of this name holds if all came, each byte as it should be. */
    void restore(DemoClient client, Prompt prompt, DemoPhase phase, String check) throws InterruptedException {
        if (prompt.size() == 0) {
            return;
        }
        long restoredBefore = phase.blocksRestored;
        DataPlaneUse.during(use, phase.restoreCalls, () -> {
            long start = System.nanoTime();
            client.read(prompt, (index, bytes, why) -> {
                if (index == 0) {
                    phase.firstBlock.addSince(start);
                }
                phase.restoredBlock.addSince(start);
                if (bytes.isEmpty()) {
                    checks.that(check, false, why);
                } else {
                    compare(prompt.chain().hash(index), bytes, phase, check);
                }
            });
            phase.restoreNanos += System.nanoTime() - start;
            return prompt;
        });
        checks.equal(check, prompt.size(), phase.blocksRestored - restoredBefore, "blocks restored");
    }

    private void compare(BlockHash hash, List<ByteBuffer> bytes, DemoPhase phase, String check) {
        long different = Payload.firstDifference(hash, blockBytes, bytes);
        checks.that(check, different < 0, "block " + hash + " differs at byte " + different);
        phase.blocksRestored++;
        phase.bytesRestored += bytes.stream().mapToLong(ByteBuffer::remaining).sum();
    }

    /** Computes and writes the prompt's blocks from {@code first} on; returns when all are acknowledged. */
    void write(DemoClient client, Prompt prompt, int first, DemoPhase phase) throws InterruptedException {
        if (first >= prompt.size()) {
            return;
        }
        long writtenBefore = phase.blocksWritten.get();
        DataPlaneUse.during(use, phase.writeCalls, () -> {
            long begun = System.nanoTime();
            client.write(prompt, first, start -> {
                phase.writeAck.addSince(start);
                phase.blocksWritten.incrementAndGet();
                phase.bytesWritten.addAndGet(blockBytes);
            });
            phase.writeNanos += System.nanoTime() - begun;
            return prompt;
        });
        long acknowledged = phase.blocksWritten.get() - writtenBefore;
        checks.equal(STORED, prompt.size() - first, acknowledged, "blocks acknowledged");
    }
}
