package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.benchmark.measure.StoredPrompts;
import dev.kvstore.benchmark.sweep.step.FaultCounts;
import dev.kvstore.benchmark.sweep.step.Mix;
import dev.kvstore.benchmark.sweep.step.WindowFigures.LoadCount;
import dev.kvstore.benchmark.sweep.step.WindowFigures.Timed;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * One client of the load: iteration after iteration, in each one call after the other. Every answer is checked: a
 * prompt of the stock must be found whole, a block must have its length (and, now and then, its bytes), and
 * acknowledged blocks are looked up: all of a mixed load, of a load of Writes alone the last ones. For one thread at a
 * time.
 */
final class SweepCaller {
    // A caller that failed, or was refused without a delay, does not come back at once.
    private static final Duration PAUSE = Duration.ofMillis(10);

    /**
     * The state that the callers of a process share in a step.
     *
     * @param where for written blocks
     * @param buffer of every block that is written; its bytes do not matter to the service
     */
    record Shared(Mix mix, StoredPrompts stock, Turns turns, Partition where, ByteBuffer buffer, SweepTally tally) {}

    private final KvClient client;
    private final Shared shared;
    private final SweepTally tally;
    private final Partition stored;
    private long late;

    SweepCaller(KvClient client, Shared shared) {
        this.client = client;
        this.shared = shared;
        this.tally = shared.tally;
        this.stored = shared.stock.where();
    }

    /**
     * One iteration, or as much of it as the window and the service allow.
     *
     * @param number nobody else's, in this partition: the blocks that are written follow from it
     * @param late nanoseconds since it was due; every operation in it was due as much earlier than it is begun, so its
     *     latency has them in
     */
    void iterate(long number, long late) throws InterruptedException {
        this.late = late;
        Prompt own = Prompt.of(shared.where, number, shared.mix.writes(shared.stock.promptBlocks()));
        long start = due();
        int written = 0;
        int done = 0;
        try {
            for (Mix.MixStep step : shared.mix.steps()) {
                if (tally.window.isOver(System.nanoTime())) {
                    break;
                }
                switch (step) {
                    case LOOK_UP -> lookUp(stored, shared.turns.nextLookup());
                    case LOOK_UP_MISSING -> lookUpMissing(number);
                    case READ -> read(shared.turns.nextRead());
                    case STREAMING_READ -> readStream(shared.turns.nextPrompt());
                    case WRITE -> write(own, written++);
                    case STREAMING_WRITE -> {
                        writeStream(own);
                        written = own.chain().size();
                    }
                    case LOOK_UP_OWN -> {
                        lookUp(shared.where, own.chain());
                        written = 0;
                    }
                }
                done++;
            }
            if (done == shared.mix.steps().size()) {
                tally.add(Timed.ITERATION, start);
            }
            if (written > 0 && tally.window.isOver(System.nanoTime())) {
                // Beyond the window, so it is counted nowhere.
                lookUp(shared.where, own.chain().prefix(written));
            }
        } catch (KvStoreException e) {
            giveUp(e);
        }
    }

    /** When an operation that begins now was due. */
    private long due() {
        return System.nanoTime() - late;
    }

    private void giveUp(KvStoreException failure) throws InterruptedException {
        if (failure.code() == ErrorCode.RESOURCE_EXHAUSTED) {
            tally.count(LoadCount.REFUSED, 1);
        } else {
            tally.add(FaultCounts.of(failure));
        }
        Duration pause = Objects.requireNonNullElse(failure.retryDelay(), PAUSE);
        var _ = tally.window.await(System.nanoTime() + pause.toNanos());
    }

    /** All of this is stored. */
    private void lookUp(Partition partition, BlockChain chain) {
        int found = found(partition, chain);
        if (found < chain.size()) {
            tally.add(FaultCounts.lost("%d of %d blocks of a prompt that is stored were found, in partition %s"
                    .formatted(found, chain.size(), partition.name())));
        }
    }

    private void lookUpMissing(long number) {
        Partition partition = Partition.of(shared.where.name() + "/missing/" + number);
        byte[] hashes = new byte[shared.stock.promptBlocks() * BlockHash.BYTES];
        new SplittableRandom(number).nextBytes(hashes);
        int found = found(partition, BlockChain.ofHashes(partition.root(), List.of(ByteBuffer.wrap(hashes))));
        if (found > 0) {
            tally.add(FaultCounts.wrong(found + " blocks were found of a prompt that no client has stored"));
        }
    }

    private int found(Partition partition, BlockChain chain) {
        long start = due();
        int found = client.lookup(partition, chain).cachedBlocks();
        tally.add(Timed.LOOKUP, start);
        return found;
    }

    private void read(Turns.ReadTurn turn) {
        long start = due();
        try (Block block = client.readBlock(turn.prompt().location(turn.index()))) {
            boolean counted = tally.add(Timed.READ, start);
            if (counted) {
                tally.count(LoadCount.BYTES_READ, block.length());
            }
            check(block, turn, counted);
        }
    }

    private void readStream(List<Turns.ReadTurn> turns) {
        long start = due();
        long bytes = 0;
        try (BlockStream stream = client.read(turns.getFirst().prompt())) {
            for (BlockResult result : stream) {
                if (result.index() == 0) {
                    tally.add(Timed.FIRST_BLOCK, start);
                }
                Turns.ReadTurn turn = turns.get(result.index());
                switch (result) {
                    case BlockResult.Found(Block found) -> {
                        try (Block block = found) {
                            bytes += block.length();
                            check(block, turn, tally.window.contains(System.nanoTime()));
                        }
                    }
                    case BlockResult.Missing _ -> tally.add(FaultCounts.lost("block " + turn.hash() + " is not found"));
                    case BlockResult.Failed failed -> throw failed.reason();
                }
            }
        }
        if (tally.add(Timed.READ, start)) {
            tally.count(LoadCount.BYTES_READ, bytes);
        }
    }

    private void check(Block block, Turns.ReadTurn turn, boolean counted) {
        int blockBytes = shared.buffer.capacity();
        if (turn.compared()) {
            if (counted) {
                tally.count(LoadCount.COMPARED, 1);
            }
            tally.add(FaultCounts.compared(turn.hash(), blockBytes, block));
        } else if (block.length() != blockBytes) {
            tally.add(FaultCounts.wrong(
                    "block " + turn.hash() + " has " + block.length() + " bytes instead of " + blockBytes));
        }
    }

    private void write(Prompt own, int index) {
        long start = due();
        acknowledged(client.write(shared.where, block(own, index)), start);
    }

    /** Each block is timed from handing it over to its acknowledgement. */
    private void writeStream(Prompt own) {
        List<CompletableFuture<Void>> acknowledgements = new ArrayList<>();
        try (BlockWriter writer = client.writer(shared.where, own.chain())) {
            for (int i = 0; i < own.chain().size(); i++) {
                long start = due();
                acknowledgements.add(writer.write(block(own, i)).thenAccept(result -> acknowledged(result, start)));
            }
            writer.finish();
        }
        acknowledgements.forEach(StoredPrompts::await);
    }

    private NewBlock block(Prompt own, int index) {
        return NewBlock.of(own.chain(), index, own.block(index), shared.buffer);
    }

    private void acknowledged(WriteResult result, long start) {
        if (tally.add(Timed.WRITE, start)) {
            tally.count(LoadCount.BYTES_WRITTEN, shared.buffer.capacity());
        }
        // There already: an attempt before, whose answer was lost, did it.
        if (result.differs() || result.storedBytes() != shared.buffer.capacity()) {
            tally.add(FaultCounts.wrong("a block was stored with other bytes: " + result));
        }
    }
}
