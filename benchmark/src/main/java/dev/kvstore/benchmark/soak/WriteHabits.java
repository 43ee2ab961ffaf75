package dev.kvstore.benchmark.soak;

import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.benchmark.soak.Habit.SoakTarget;
import dev.kvstore.benchmark.soak.Library.StoredPrompt;
import dev.kvstore.benchmark.soak.SoakCounts.SoakCount;
import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.NewBlock;
import dev.kvstore.client.WriteResult;
import dev.kvstore.protocol.block.Partition;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writing: block by block, in streams, and in streams that are given up. Each block's memory is unmapped the moment its
 * future ends.
 */
final class WriteHabits {
    private static final int BLOCK_TOKENS = 16;
    private static final int UNARY_BLOCKS = 4;
    private static final int STREAM_BLOCKS = 16;
    private static final int PARTITIONS = 2_000;
    private static final int BUSY_PARTITIONS = 16;

    private final Library library;
    private final SoakCounts findings;
    private final AtomicLong numbers = new AtomicLong();

    WriteHabits(Library library, SoakCounts findings) {
        this.library = library;
        this.findings = findings;
    }

    /**
     * Writes a short prompt block by block; asks the process that took it, if there is but one, whether it counts it.
     */
    void blocks(SoakTarget place, SplittableRandom random) {
        Prompt prompt = prompt(random, UNARY_BLOCKS);
        Set<Integer> acknowledged = new HashSet<>();
        for (int i = 0; i < UNARY_BLOCKS; i++) {
            try (UnmappedBlock lent = UnmappedBlock.of(prompt, i)) {
                var _ = place.client().write(prompt.partition(), lent.block());
                acknowledged.add(i);
            }
        }
        ended(prompt, acknowledged, place, random);
    }

    /** Writes a prompt as a stream. */
    void stream(SoakTarget place, SplittableRandom random) {
        Prompt prompt = prompt(random, STREAM_BLOCKS);
        List<CompletableFuture<WriteResult>> futures = new ArrayList<>();
        try (BlockWriter writer = place.client().writer(prompt.partition(), prompt.chain())) {
            for (int i = 0; i < STREAM_BLOCKS; i++) {
                futures.add(write(writer, prompt, i));
            }
            writer.finish();
        }
        ended(prompt, outcomes(futures, false), place, random);
    }

    /** Writes a stream, cancels some of its blocks, and mostly closes it before it is finished. */
    void givenUp(SoakTarget place, SplittableRandom random) throws InterruptedException {
        Prompt prompt = prompt(random, STREAM_BLOCKS);
        List<CompletableFuture<WriteResult>> futures = new ArrayList<>();
        int blocks = random.nextInt(1, STREAM_BLOCKS + 1);
        try (BlockWriter writer = place.client().writer(prompt.partition(), prompt.chain())) {
            for (int i = 0; i < blocks; i++) {
                CompletableFuture<WriteResult> future = write(writer, prompt, i);
                futures.add(future);
                if (random.nextInt(4) == 0) {
                    future.cancel(true);
                }
            }
            TimeUnit.MILLISECONDS.sleep(random.nextInt(20));
            if (random.nextInt(4) == 0) {
                writer.finish();
            }
        }
        ended(prompt, outcomes(futures, true), place, random);
    }

    /** A block to write, in memory that is unmapped by {@link #close}: code that reads it afterwards is caught. */
    private record UnmappedBlock(NewBlock block, Arena memory) implements AutoCloseable {
        static UnmappedBlock of(Prompt prompt, int index) {
            Arena memory = Arena.ofShared();
            ByteBuffer buffer = memory.allocate(
                            StoredPrompt.bytes(prompt.chain().hash(index)))
                    .asByteBuffer();
            Payload.fill(prompt.chain().hash(index), buffer);
            return new UnmappedBlock(NewBlock.of(prompt.chain(), index, prompt.block(index), buffer), memory);
        }

        @Override
        public void close() {
            memory.close();
        }
    }

    private static CompletableFuture<WriteResult> write(BlockWriter writer, Prompt prompt, int index) {
        UnmappedBlock lent = UnmappedBlock.of(prompt, index);
        CompletableFuture<WriteResult> future;
        try {
            future = writer.write(lent.block());
        } catch (RuntimeException e) {
            lent.close();
            throw e;
        }
        var _ = future.whenComplete((_, _) -> lent.close());
        return future;
    }

    /** The blocks that were acknowledged, once all futures have ended. */
    private Set<Integer> outcomes(List<CompletableFuture<WriteResult>> futures, boolean givenUp) {
        Set<Integer> acknowledged = new HashSet<>();
        for (int i = 0; i < futures.size(); i++) {
            try {
                futures.get(i).join();
                acknowledged.add(i);
            } catch (CancellationException e) {
                findings.add(SoakCount.CANCELLED, 1);
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof KvStoreException failure)) {
                    throw e;
                }
                if (!givenUp || failure.code() != ErrorCode.CANCELLED) {
                    throw failure;
                }
                findings.add(SoakCount.CANCELLED, 1);
            }
        }
        return acknowledged;
    }

    private void ended(Prompt prompt, Set<Integer> acknowledged, SoakTarget place, SplittableRandom random) {
        findings.add(SoakCount.ACKNOWLEDGED, acknowledged.size());
        if (!acknowledged.isEmpty()) {
            StoredPrompt stored = StoredPrompt.now(prompt, acknowledged);
            library.add(stored, random);
            if (place.sameProcess()) {
                ReadHabits.count(stored, place, "right after it was written, where it was", findings);
            }
        }
    }

    private Prompt prompt(SplittableRandom random, int blocks) {
        int partition = random.nextInt(4) == 0 ? random.nextInt(PARTITIONS) : random.nextInt(BUSY_PARTITIONS);
        return Prompt.of(Partition.of("soak/" + partition, BLOCK_TOKENS), numbers.getAndIncrement(), blocks);
    }
}
