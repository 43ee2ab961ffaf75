package dev.kvstore.benchmark.demo;

import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.StorageCalls;
import java.nio.ByteBuffer;
import java.util.List;

/** Uses a KV store as an inference engine does: looks up, reads and verifies, computes and writes. For one thread. */
final class DemoEngine {
    static final String STORED = "every block written is acknowledged as stored";

    private final int blockBytes;
    private final Checks checks;
    private final StorageCalls storageCalls;

    DemoEngine(int blockBytes, Checks checks, StorageCalls storageCalls) {
        this.blockBytes = blockBytes;
        this.checks = checks;
        this.storageCalls = storageCalls;
    }

    /** How many of the prompt's blocks are stored. */
    int lookup(DemoClient client, DemoPrompt prompt, DemoPhase phase) throws InterruptedException {
        int found = storageCalls.during(phase.lookupCalls, () -> {
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
    void restore(DemoClient client, DemoPrompt prompt, DemoPhase phase, String check) throws InterruptedException {
        if (prompt.size() == 0) {
            return;
        }
        Restored restored = new Restored(prompt, phase, check);
        storageCalls.during(phase.restoreCalls, () -> {
            client.read(prompt, restored);
            return prompt;
        });
        phase.restoreNanos += System.nanoTime() - restored.start;
        checks.equal(check, prompt.size(), restored.count, "blocks restored");
    }

    /** Compares the blocks of one restore with their names. */
    private final class Restored implements DemoClient.ReadBlocks {
        private final DemoPrompt prompt;
        private final DemoPhase phase;
        private final String check;
        private final long start = System.nanoTime();
        private int count;

        Restored(DemoPrompt prompt, DemoPhase phase, String check) {
            this.prompt = prompt;
            this.phase = phase;
            this.check = check;
        }

        @Override
        public void found(int index, List<ByteBuffer> bytes) {
            arrived(index);
            long different = Payload.firstDifference(prompt.chain().hash(index), blockBytes, bytes);
            checks.that(check, different < 0, "block " + prompt.chain().hash(index) + " differs at byte " + different);
            count++;
            phase.blocksRestored++;
            phase.bytesRestored +=
                    bytes.stream().mapToLong(ByteBuffer::remaining).sum();
        }

        @Override
        public void missing(int index, String why) {
            arrived(index);
            checks.that(check, false, why);
        }

        private void arrived(int index) {
            if (index == 0) {
                phase.firstBlock.addSince(start);
            }
            phase.restoredBlock.addSince(start);
        }
    }

    /** Computes and writes the prompt's blocks from {@code first} on; returns when all are acknowledged. */
    void write(DemoClient client, DemoPrompt prompt, int first, DemoPhase phase) throws InterruptedException {
        if (first >= prompt.size()) {
            return;
        }
        long acknowledgedBefore = phase.blocksWritten.get();
        storageCalls.during(phase.writeCalls, () -> {
            long start = System.nanoTime();
            client.write(prompt, first, new Written(prompt, phase));
            phase.writeNanos += System.nanoTime() - start;
            return prompt;
        });
        long acknowledged = phase.blocksWritten.get() - acknowledgedBefore;
        checks.equal(STORED, prompt.size() - first, acknowledged, "blocks acknowledged");
    }

    private final class Written implements DemoClient.WrittenBlocks {
        private final DemoPrompt prompt;
        private final DemoPhase phase;

        Written(DemoPrompt prompt, DemoPhase phase) {
            this.prompt = prompt;
            this.phase = phase;
        }

        @Override
        public void compute(int index, ByteBuffer buffer) {
            Payload.fill(prompt.chain().hash(index), buffer);
        }

        @Override
        public void stored(int index, long start) {
            phase.writeAck.addSince(start);
            phase.blocksWritten.incrementAndGet();
            phase.bytesWritten.addAndGet(blockBytes);
        }
    }
}
