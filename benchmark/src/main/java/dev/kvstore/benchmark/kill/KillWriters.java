package dev.kvstore.benchmark.kill;

import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.NewBlock;
import dev.kvstore.protocol.block.Partition;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Threads that write prompt after prompt, half of them block by block, half as streams, until the server is gone. */
final class KillWriters {
    private static final int THREADS = 6;
    private static final int STREAM_BLOCKS = 16;
    private static final int UNARY_BLOCKS = 4;

    private final KvClient client;
    private final AtomicLong numbers;
    private final Queue<WrittenPrompt> writings = new ConcurrentLinkedQueue<>();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicLong ackedBytes = new AtomicLong();
    private final AtomicLong acked = new AtomicLong();
    private final CountDownLatch begun = new CountDownLatch(1);
    private final AtomicReference<@Nullable KvStoreException> failed = new AtomicReference<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<?>> ends = new ArrayList<>();

    /**
     * Starts writing.
     *
     * @param numbers of the next prompts, which no one else has
     */
    KillWriters(KvClient client, AtomicLong numbers) {
        this.client = client;
        this.numbers = numbers;
        for (int i = 0; i < THREADS; i++) {
            boolean streaming = i % 2 == 0;
            Partition partition = Partition.of("kill/" + i);
            ends.add(threads.submit(() -> writeUntilGone(partition, streaming)));
        }
    }

    /** Waits until a block has been acknowledged. */
    void awaitBegun() throws InterruptedException {
        begun.await();
        refuseFailure();
    }

    private void refuseFailure() {
        KvStoreException failure = failed.get();
        if (failure != null) {
            throw failure;
        }
    }

    /** Blocks handed over that are not acknowledged, right now. */
    int underWay() {
        return underWay.get();
    }

    /** Waits until all have noticed that the server is gone, and returns the blocks that they wrote. */
    Collection<WrittenPrompt> end() throws InterruptedException {
        for (Future<?> end : ends) {
            try {
                end.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("a writer failed: " + e.getMessage(), e);
            }
        }
        threads.close();
        refuseFailure();
        return writings;
    }

    long acked() {
        return acked.get();
    }

    long ackedBytes() {
        return ackedBytes.get();
    }

    private void writeUntilGone(Partition partition, boolean streaming) {
        try {
            while (true) {
                Prompt prompt =
                        Prompt.of(partition, numbers.getAndIncrement(), streaming ? STREAM_BLOCKS : UNARY_BLOCKS);
                WrittenPrompt writing = new WrittenPrompt(prompt);
                writings.add(writing);
                if (streaming) {
                    stream(prompt, writing);
                } else {
                    for (int i = 0; i < prompt.chain().size(); i++) {
                        NewBlock block = block(prompt, i);
                        handOver(writing, i);
                        try {
                            client.write(partition, block);
                            acknowledged(writing, i);
                        } finally {
                            underWay.decrementAndGet();
                        }
                    }
                }
            }
        } catch (KvStoreException gone) {
            if (!gone.retryable() || begun.getCount() > 0) {
                failed.compareAndSet(null, gone);
                begun.countDown();
            }
        }
    }

    private void stream(Prompt prompt, WrittenPrompt writing) {
        List<CompletableFuture<?>> acknowledgements = new ArrayList<>();
        try (BlockWriter writer = client.writer(prompt.partition())) {
            for (int i = 0; i < prompt.chain().size(); i++) {
                int index = i;
                NewBlock block = block(prompt, i);
                handOver(writing, i);
                acknowledgements.add(writer.write(block)
                        .thenRun(() -> acknowledged(writing, index))
                        .whenComplete((_, _) -> underWay.decrementAndGet()));
            }
            writer.finish();
        }
        for (CompletableFuture<?> acknowledgement : acknowledgements) {
            try {
                acknowledgement.join();
            } catch (CompletionException e) {
                throw e.getCause() instanceof KvStoreException cause ? cause : e;
            }
        }
    }

    private static NewBlock block(Prompt prompt, int index) {
        ByteBuffer buffer =
                ByteBuffer.allocate(WrittenPrompt.bytes(prompt.chain().hash(index)));
        Payload.fill(prompt.chain().hash(index), buffer);
        return NewBlock.of(prompt.chain(), index, prompt.block(index), buffer);
    }

    private void handOver(WrittenPrompt writing, int index) {
        writing.handedOver(index);
        underWay.incrementAndGet();
    }

    private void acknowledged(WrittenPrompt writing, int index) {
        writing.acknowledged(index);
        acked.incrementAndGet();
        begun.countDown();
        ackedBytes.addAndGet(WrittenPrompt.bytes(writing.chain().hash(index)));
    }
}
