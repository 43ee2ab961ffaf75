package dev.kvstore.benchmark.control;

import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.benchmark.measure.RepeatedCalls;
import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.BlockStream;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.NewBlock;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Threads that look up, read and write through the Java SDK, each request tried once: one of each kind at each data
 * plane, each with a key of its own that the data plane knows. To be started and ended by one thread.
 */
final class OutageLoad implements AutoCloseable {
    private static final int PROMPTS = 20;
    private static final int BLOCKS = 8;
    private static final int BLOCK_BYTES = 16 * 1024;

    // Some hundred requests a second of each kind: a load, not the most that the machine can do.
    private static final Duration PAUSE = Duration.ofMillis(5);

    private static final Partition PARTITION = Partition.of("outage", 16);

    private final LoadTally tally;
    private final List<KvClient> clients = new ArrayList<>();
    private final RepeatedCalls calls = new RepeatedCalls(PAUSE);
    private final AtomicLong numbers = new AtomicLong();

    OutageLoad(LoadTally tally) {
        this.tally = tally;
    }

    /**
     * Begins at one data plane.
     *
     * @param keys three
     */
    void begin(String endpoint, List<String> keys) {
        List<KvClient> three =
                keys.stream().map(key -> KeyTrial.client(endpoint, key)).toList();
        clients.addAll(three);
        List<Prompt> prompts = new ArrayList<>();
        for (int i = 0; i < PROMPTS; i++) {
            Prompt prompt = Prompt.of(PARTITION, numbers.getAndIncrement(), BLOCKS);
            for (int block = 0; block < BLOCKS; block++) {
                write(three.getLast(), prompt, block);
            }
            prompts.add(prompt);
        }
        calls.repeat(round -> tally.count("lookup", () -> isKnown(three.get(0), prompts.get(round % PROMPTS))));
        calls.repeat(round -> tally.count("read", () -> isRight(three.get(1), prompts.get(round % PROMPTS))));
        calls.repeat(_ -> {
            Prompt prompt = Prompt.of(PARTITION, numbers.getAndIncrement(), 1);
            tally.count("write", () -> write(three.get(2), prompt, 0));
        });
    }

    private static boolean isKnown(KvClient client, Prompt prompt) {
        return client.lookup(PARTITION, prompt.chain()).cachedBlocks() == BLOCKS;
    }

    private static boolean isRight(KvClient client, Prompt prompt) {
        int right = 0;
        try (BlockStream stream = client.read(prompt.chain())) {
            for (BlockResult result : stream) {
                switch (result) {
                    case BlockResult.Found(Block found) -> {
                        try (Block block = found) {
                            BlockHash hash = prompt.chain().hash(block.index());
                            right += Payload.firstDifference(hash, BLOCK_BYTES, block.buffers()) < 0 ? 1 : 0;
                        }
                    }
                    case BlockResult.Missing _ -> {
                        // Not right.
                    }
                    case BlockResult.Failed failed -> throw failed.reason();
                }
            }
        }
        return right == BLOCKS;
    }

    private static boolean write(KvClient client, Prompt prompt, int index) {
        ByteBuffer buffer = ByteBuffer.allocate(BLOCK_BYTES);
        Payload.fill(prompt.chain().hash(index), buffer);
        var _ = client.write(PARTITION, NewBlock.of(prompt.chain(), index, prompt.block(index), buffer));
        return true;
    }

    /** Waits until the requests under way are done. */
    void end() throws InterruptedException {
        calls.end();
    }

    @Override
    public void close() {
        calls.close();
        clients.forEach(KvClient::close);
    }
}
