package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.Prompt;
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
    record Shared(
            Mix mix,
            SweepStock stock,
            Turns turns,
            Partition where,
            ByteBuffer buffer,
            MeasuringWindow window,
            SweepTally tally) {}

    private final KvClient client;
    private final Shared shared;
    private long late;

    SweepCaller(KvClient client, Shared shared) {
        this.client = client;
        this.shared = shared;
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
        long start = System.nanoTime();
        int written = 0;
        int done = 0;
        try {
            for (Mix.MixStep step : shared.mix.steps()) {
                if (shared.window.isOver(System.nanoTime())) {
                    break;
                }
                switch (step) {
                    case LOOK_UP -> lookUp(shared.turns.nextLookup());
                    case LOOK_UP_MISSING -> lookUpMissing(number);
                    case READ -> read(shared.turns.nextRead());
                    case STREAMING_READ -> readStream(shared.turns.nextPrompt());
                    case WRITE -> write(own, written++);
                    case STREAMING_WRITE -> {
                        writeStream(own);
                        written = own.chain().size();
                    }
                    case LOOK_UP_OWN -> {
                        lookUp(own.chain());
                        written = 0;
                    }
                }
                done++;
            }
            if (done == shared.mix.steps().size()) {
                shared.tally.addIteration(start - late);
            }
            if (written > 0 && shared.window.isOver(System.nanoTime())) {
                // Beyond the window, so it is counted nowhere.
                lookUp(own.chain().prefix(written));
            }
        } catch (KvStoreException e) {
            giveUp(e);
        }
    }

    private void giveUp(KvStoreException failure) throws InterruptedException {
        if (failure.code() == ErrorCode.RESOURCE_EXHAUSTED) {
            shared.tally.refused();
        } else {
            shared.tally.faults.add(failure);
        }
        Duration pause = Objects.requireNonNullElse(failure.retryDelay(), PAUSE);
        boolean _ = shared.window.await(System.nanoTime() + pause.toNanos());
    }

    /** All of this is stored. */
    private void lookUp(BlockChain chain) {
        Partition partition = chain.root().equals(shared.where.root()) ? shared.where : shared.stock.where();
        long start = System.nanoTime();
        int found = client.lookup(partition, chain).cachedBlocks();
        shared.tally.add(Mix.ResultKind.LOOKUP, start - late, 0);
        if (found < chain.size()) {
            shared.tally.faults.lost("%d of %d blocks of a prompt that is stored were found, in partition %s"
                    .formatted(found, chain.size(), partition.name()));
        }
    }

    private void lookUpMissing(long number) {
        Partition partition = Partition.of(shared.where.name() + "/missing/" + number);
        byte[] hashes = new byte[shared.stock.promptBlocks() * BlockHash.BYTES];
        new SplittableRandom(number).nextBytes(hashes);
        BlockChain chain = BlockChain.ofHashes(partition.root(), List.of(ByteBuffer.wrap(hashes)));
        long start = System.nanoTime();
        int found = client.lookup(partition, chain).cachedBlocks();
        shared.tally.add(Mix.ResultKind.LOOKUP, start - late, 0);
        if (found > 0) {
            shared.tally.faults.wrong(found + " blocks were found of a prompt that no client has stored");
        }
    }

    private void read(Turns.ReadTurn turn) {
        long start = System.nanoTime();
        try (Block block = client.readBlock(turn.location())) {
            check(block, turn, shared.tally.add(Mix.ResultKind.READ, start - late, block.length()));
        }
    }

    private void readStream(List<Turns.ReadTurn> turns) {
        long start = System.nanoTime();
        long bytes = 0;
        try (BlockStream stream = client.read(turns.getFirst().prompt())) {
            for (BlockResult result : stream) {
                if (result.index() == 0) {
                    shared.tally.addFirstBlock(start - late);
                }
                Turns.ReadTurn turn = turns.get(result.index());
                switch (result) {
                    case BlockResult.Found(Block found) -> {
                        try (Block block = found) {
                            bytes += block.length();
                            check(block, turn, shared.window.contains(System.nanoTime()));
                        }
                    }
                    case BlockResult.Missing _ -> shared.tally.faults.lost("block " + turn.hash() + " is not found");
                    case BlockResult.Failed failed -> throw failed.reason();
                }
            }
        }
        shared.tally.add(Mix.ResultKind.READ, start - late, bytes);
    }

    private void check(Block block, Turns.ReadTurn turn, boolean counted) {
        if (turn.compared()) {
            if (counted) {
                shared.tally.compared();
            }
            shared.tally.faults.compare(turn.hash(), shared.stock.blockBytes(), block);
        } else if (block.length() != shared.stock.blockBytes()) {
            shared.tally.faults.wrong("block " + turn.hash() + " has " + block.length() + " bytes instead of "
                    + shared.stock.blockBytes());
        }
    }

    private void write(Prompt own, int index) {
        long start = System.nanoTime();
        acknowledged(client.write(shared.where, block(own, index)), start - late);
    }

    /** Each block is timed from handing it over to its acknowledgement. */
    private void writeStream(Prompt own) {
        List<CompletableFuture<Void>> acknowledgements = new ArrayList<>();
        try (BlockWriter writer = client.writer(shared.where, own.chain())) {
            for (int i = 0; i < own.chain().size(); i++) {
                long start = System.nanoTime() - late;
                acknowledgements.add(writer.write(block(own, i)).thenAccept(result -> acknowledged(result, start)));
            }
            writer.finish();
        }
        acknowledgements.forEach(SweepStock::await);
    }

    private NewBlock block(Prompt own, int index) {
        return NewBlock.of(own.chain(), index, own.block(index), shared.buffer);
    }

    private void acknowledged(WriteResult result, long start) {
        shared.tally.add(Mix.ResultKind.WRITE, start, shared.buffer.capacity());
        // There already: an attempt before, whose answer was lost, did it.
        if (result.differs() || result.storedBytes() != shared.buffer.capacity()) {
            shared.tally.faults.wrong("a block was stored with other bytes: " + result);
        }
    }
}
