package dev.kvstore.benchmark.mainjob;

import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.client.Block;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.NewBlock;
import dev.kvstore.client.WriteResult;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Writes of new blocks, all with the same buffer. The last one acknowledged is read back afterwards and compared byte
 * for byte.
 */
public final class MainJobWrites implements MainJobOperation {
    /** Makes room for the next measurement, where it can. */
    @FunctionalInterface
    public interface Emptying {
        void empty(Partition partition) throws IOException;
    }

    // The name from which the buffer is generated; any name would do.
    private static final BlockHash SEED = new BlockHash(1, 2, 3, 4);

    private final KvClient client;
    private final long mostBytes;
    private final Emptying emptying;
    private final ByteBuffer buffer;
    private final Partition partition = Partition.of("bench/write");
    private final AtomicLong number = new AtomicLong();
    private final AtomicReference<@Nullable Location> last = new AtomicReference<>();

    public MainJobWrites(KvClient client, int blockBytes, long mostBytes, Emptying emptying) {
        this.client = client;
        this.mostBytes = mostBytes;
        this.emptying = emptying;
        this.buffer = ByteBuffer.allocateDirect(blockBytes);
        Payload.fill(SEED, buffer);
    }

    /** Where they go. */
    public Partition partition() {
        return partition;
    }

    @Override
    public long mostBytes() {
        return mostBytes;
    }

    @Override
    public void once(ClientSample sample) {
        Prompt prompt = Prompt.of(partition, number.getAndIncrement(), 1);
        NewBlock block = NewBlock.of(prompt.chain(), 0, prompt.block(0), buffer);
        long start = System.nanoTime();
        WriteResult result = client.write(partition, block);
        sample.latency.addSince(start);
        if (result.outcome() != WriteResult.Outcome.STORED || result.differs()) {
            throw new IllegalStateException("a new block was there already: " + result);
        }
        sample.blocks.increment();
        sample.bytes.add(buffer.capacity());
        last.set(result.location());
    }

    @Override
    public void finish() throws IOException {
        Location location = last.get();
        if (location == null) {
            throw new IllegalStateException("no block was written");
        }
        try (Block block = client.readBlock(location)) {
            long different = Payload.firstDifference(SEED, buffer.capacity(), block.buffers());
            if (different >= 0) {
                throw new IllegalStateException("a block read back differs at byte " + different);
            }
        }
        emptying.empty(partition);
    }
}
