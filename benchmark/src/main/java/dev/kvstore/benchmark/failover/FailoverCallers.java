package dev.kvstore.benchmark.failover;

import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.benchmark.measure.RepeatedCalls;
import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.NewBlock;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Threads that look up, stream, read and write through one client, again and again, with the SDK's own retries. To be
 * started and ended by one thread.
 */
final class FailoverCallers implements AutoCloseable {
    private static final int PROMPTS = 40;
    private static final int BLOCKS = 8;
    private static final int BLOCK_BYTES = 16 * 1024;
    private static final int EACH = 2;

    // Some hundred requests a second of each kind: a load, not the most that the machine can do.
    private static final Duration PAUSE = Duration.ofMillis(10);

    private static final Partition PARTITION = Partition.of("failover", 16);

    private final KvClient client;
    private final RepeatedCalls calls = new RepeatedCalls(PAUSE);
    private final AtomicLong numbers = new AtomicLong();
    private volatile FailoverTally tally = new FailoverTally();

    FailoverCallers(KvClient client) {
        this.client = client;
    }

    /** Writes the prompts that are read later, and begins. */
    void begin() {
        List<Prompt> prompts = new ArrayList<>();
        for (int i = 0; i < PROMPTS; i++) {
            Prompt prompt = Prompt.of(PARTITION, numbers.getAndIncrement(), BLOCKS);
            for (int block = 0; block < BLOCKS; block++) {
                write(prompt, block);
            }
            prompts.add(prompt);
        }
        for (int caller = 0; caller < EACH; caller++) {
            int first = caller * PROMPTS / EACH;
            repeat("lookup", round -> lookup(prompts.get((first + round) % PROMPTS)));
            repeat("stream", round -> stream(prompts.get((first + round) % PROMPTS)));
            repeat("read", round -> read(prompts.get((first + round) % PROMPTS), round % BLOCKS));
            repeat("write", _ -> write(Prompt.of(PARTITION, numbers.getAndIncrement(), 1), 0));
        }
    }

    /** From now on requests are counted there. */
    void countIn(FailoverTally next) {
        tally = next;
    }

    /** One of the things that are done again and again. */
    @FunctionalInterface
    private interface CallerStep {
        int run(int round) throws FailoverTally.WrongBytesException;
    }

    private void repeat(String kind, CallerStep step) {
        calls.repeat(round -> tally.count(kind, () -> step.run(round)));
    }

    private int lookup(Prompt prompt) {
        return BLOCKS - client.lookup(PARTITION, prompt.chain()).cachedBlocks();
    }

    private int stream(Prompt prompt) throws FailoverTally.WrongBytesException {
        int missed = 0;
        try (BlockStream stream = client.read(prompt.chain())) {
            for (BlockResult result : stream) {
                switch (result) {
                    case BlockResult.Found(Block found) ->
                        verify(found, prompt.chain().hash(found.index()));
                    case BlockResult.Missing _ -> missed++;
                    case BlockResult.Failed failed -> throw failed.reason();
                }
            }
        }
        return missed;
    }

    /** One block in one message. */
    private int read(Prompt prompt, int index) throws FailoverTally.WrongBytesException {
        try {
            verify(
                    client.readBlock(prompt.chain().location(index)),
                    prompt.chain().hash(index));
            return 0;
        } catch (KvStoreException e) {
            if (e.code() == ErrorCode.NOT_FOUND) {
                return 1;
            }
            throw e;
        }
    }

    private static void verify(Block found, BlockHash hash) throws FailoverTally.WrongBytesException {
        try (Block block = found) {
            if (Payload.firstDifference(hash, BLOCK_BYTES, block.buffers()) >= 0) {
                throw new FailoverTally.WrongBytesException("block " + hash + " has other bytes than were written");
            }
        }
    }

    private int write(Prompt prompt, int index) {
        ByteBuffer buffer = ByteBuffer.allocate(BLOCK_BYTES);
        Payload.fill(prompt.chain().hash(index), buffer);
        var _ = client.write(PARTITION, NewBlock.of(prompt.chain(), index, prompt.block(index), buffer));
        return 0;
    }

    /** Waits until the requests under way are done. */
    void end() throws InterruptedException {
        calls.end();
    }

    @Override
    public void close() {
        calls.close();
    }
}
