package dev.kvstore.benchmark.peers.load;

import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.client.Block;
import dev.kvstore.client.KvClient;
import dev.kvstore.client.NewBlock;
import dev.kvstore.client.WriteResult;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Location;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Unary writes of new blocks, one after the other, all with the same bytes. Thread-safe. */
final class UnaryWrites {
    /** The bytes that one measurement may leave behind before they are cleared away: 2 GiB. */
    static final long MOST_BYTES = 2L << 30;

    /** The name from which the bytes are generated; any name would do. */
    private static final BlockHash SEED = new BlockHash(1, 2, 3, 4);

    private final KvClient client;
    private final ByteBuffer buffer;
    private final AtomicLong number = new AtomicLong();
    private final AtomicReference<@Nullable Location> last = new AtomicReference<>();

    UnaryWrites(KvClient client, int blockBytes) {
        this.client = client;
        this.buffer = ByteBuffer.allocateDirect(blockBytes);
        Payload.fill(SEED, buffer);
    }

    void once(LongAdder bytes) {
        Prompt prompt = Prompt.of(WorkingSet.WRITTEN, number.getAndIncrement(), 1);
        WriteResult result = client.write(WorkingSet.WRITTEN, NewBlock.of(prompt.chain(), 0, prompt.block(0), buffer));
        if (result.outcome() != WriteResult.Outcome.STORED || result.differs()) {
            throw new BadBlockException("a block that was never written was there already: " + result);
        }
        bytes.add(buffer.capacity());
        last.set(result.location());
    }

    /** Reads back the block that was acknowledged last. */
    void verify() {
        Location location = last.get();
        if (location == null) {
            throw new BadBlockException("no block was written");
        }
        try (Block block = client.readBlock(location)) {
            long different = Payload.firstDifference(SEED, buffer.capacity(), block.buffers());
            if (different >= 0) {
                throw new BadBlockException("a block that was acknowledged differs at byte " + different);
            }
        }
    }
}
