package dev.kvstore.benchmark.warming;

import dev.kvstore.benchmark.measure.Latencies;
import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.NewBlock;
import dev.kvstore.protocol.block.Partition;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The load of clients of a region meanwhile: one after the other, each when it is due, a Lookup, a StreamingRead of
 * four blocks of 1.2 MB that lie in memory, and now and then a Write. How long each took counts from when it was due.
 * To be started and ended by one thread.
 */
final class LiveLoad implements AutoCloseable {
    static final int BLOCK_BYTES = 1_200_000;
    private static final int PROMPTS = 16;
    private static final int BLOCKS = 4;
    private static final int WRITE_EVERY = 8;
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final KvClient client;
    private final Partition partition;
    private final List<Prompt> prompts = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BLOCK_BYTES);
    private final LongAdder failures = new LongAdder();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile Latencies latencies = new Latencies();
    private volatile boolean ending;
    private long written;

    /** Writes what will be read, and begins. */
    LiveLoad(KvClient client, String region) {
        this.client = client;
        this.partition = Partition.of("live/" + region);
        for (int i = 0; i < PROMPTS; i++) {
            Prompt prompt = Prompt.of(partition, written++, BLOCKS);
            for (int block = 0; block < BLOCKS; block++) {
                write(prompt, block);
            }
            prompts.add(prompt);
        }
        threads.execute(this::run);
    }

    /** Counts anew. */
    void begin() {
        latencies = new Latencies();
    }

    /** Since it began. */
    Latencies.Percentiles end() {
        return latencies.percentiles();
    }

    long failures() {
        return failures.sum();
    }

    private void run() {
        long due = System.nanoTime();
        try {
            for (int round = 0; !ending; round++, due += PERIOD_NANOS) {
                TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
                Latencies counted = latencies;
                if (!step(round)) {
                    failures.increment();
                }
                counted.addSince(due);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean step(int round) {
        try {
            Prompt prompt = prompts.get(round % PROMPTS);
            if (round % WRITE_EVERY == 0) {
                write(Prompt.of(partition, written++, 1), 0);
                return true;
            }
            return client.lookup(partition, prompt.chain()).cachedBlocks() == BLOCKS && isWhole(prompt);
        } catch (RuntimeException e) {
            return false;
        }
    }

    private boolean isWhole(Prompt prompt) {
        boolean whole = true;
        try (BlockStream stream = client.read(prompt.chain())) {
            for (BlockResult result : stream) {
                if (result instanceof BlockResult.Found(var found)) {
                    try (var block = found) {
                        whole &= block.length() == BLOCK_BYTES;
                    }
                } else {
                    whole = false;
                }
            }
        }
        return whole;
    }

    private void write(Prompt prompt, int index) {
        Payload.fill(prompt.chain().hash(index), buffer);
        var _ = client.write(partition, NewBlock.of(prompt.chain(), index, prompt.block(index), buffer));
    }

    @Override
    public void close() {
        ending = true;
        threads.close();
    }
}
