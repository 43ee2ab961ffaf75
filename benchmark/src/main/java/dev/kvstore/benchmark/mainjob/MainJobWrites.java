package dev.kvstore.benchmark.mainjob;

import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.client.Block;
import dev.kvstore.client.BlockWriter;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.NewBlock;
import dev.kvstore.client.WriteResult;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Writes of new blocks, all with the same buffer: one after the other, or as prompts of 16. The last one acknowledged
 * is read back afterwards and compared byte for byte.
 */
public final class MainJobWrites implements MainJobOperation {
    /** Makes room for the next measurement, where it can. */
    @FunctionalInterface
    public interface Emptying {
        void empty(Partition partition) throws IOException;
    }

    private static final int STREAM_BLOCKS = 16;
    // The name from which the buffer is generated; any name would do.
    private static final BlockHash SEED = new BlockHash(1, 2, 3, 4);

    private final boolean streaming;
    private final KvClient client;
    private final long mostBytes;
    private final Emptying emptying;
    private final ByteBuffer buffer;
    private final Partition partition;
    private final AtomicLong number = new AtomicLong();
    private final AtomicReference<@Nullable Location> last = new AtomicReference<>();

    public MainJobWrites(boolean streaming, KvClient client, int blockBytes, long mostBytes, Emptying emptying) {
        this.streaming = streaming;
        this.client = client;
        this.mostBytes = mostBytes;
        this.emptying = emptying;
        this.buffer = ByteBuffer.allocateDirect(blockBytes);
        this.partition = Partition.of("bench/" + name());
        Payload.fill(SEED, buffer);
    }

    @Override
    public String name() {
        return streaming ? "streaming write" : "write";
    }

    /** Where they go. */
    public Partition partition() {
        return partition;
    }

    @Override
    public ResultUnit unit() {
        return ResultUnit.MEGABYTES;
    }

    @Override
    public long mostBytes() {
        return mostBytes;
    }

    @Override
    public void once(ClientSample sample) {
        Prompt prompt = Prompt.of(partition, number.getAndIncrement(), streaming ? STREAM_BLOCKS : 1);
        if (!streaming) {
            long start = System.nanoTime();
            acknowledged(client.write(partition, block(prompt, 0)), start, sample);
            return;
        }
        List<CompletableFuture<Void>> acknowledgements = new ArrayList<>();
        try (BlockWriter writer = client.writer(partition)) {
            for (int i = 0; i < prompt.chain().size(); i++) {
                long start = System.nanoTime();
                acknowledgements.add(
                        writer.write(block(prompt, i)).thenAccept(result -> acknowledged(result, start, sample)));
            }
            writer.finish();
        }
        acknowledgements.forEach(CompletableFuture::join);
    }

    private NewBlock block(Prompt prompt, int index) {
        return NewBlock.of(prompt.chain(), index, prompt.block(index), buffer);
    }

    private void acknowledged(WriteResult result, long start, ClientSample sample) {
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
