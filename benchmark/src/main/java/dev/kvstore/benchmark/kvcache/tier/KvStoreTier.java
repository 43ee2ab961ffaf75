package dev.kvstore.benchmark.kvcache.tier;

import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.protocol.block.BlockChain;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * KV Store itself: an entry is a prompt of blocks that no other entry shares. Device time is the time of the whole
 * call: client, network and service. Nothing is deleted: KV Store's clients cannot delete. Thread-safe.
 */
public final class KvStoreTier implements Tier {
    private final KvStoreBlocks blocks;
    private final int blockBytes;
    private final AtomicLong room;

    /**
     * Entries in a partition that nobody else writes to.
     *
     * @param blocks closed with it
     * @param blockBytes of each block but the last of an entry; whole pages
     * @param room bytes that may be written in all
     */
    public KvStoreTier(KvStoreBlocks blocks, int blockBytes, long room) {
        this.blocks = blocks;
        this.blockBytes = blockBytes;
        this.room = new AtomicLong(room);
    }

    @Override
    public IoTime write(EntryBytes blob, Scratch memory, LongConsumer moved) throws IOException {
        if (blob.bytes() == 0) {
            return IoTime.NONE; // An entry of 0 bytes has no block.
        }
        if (room.addAndGet(-blob.bytes()) < 0) {
            throw new IOException("there is no room left for entry " + blob.id()
                    + ": nothing is ever deleted from KV Store, so a shorter run or a larger disk is needed");
        }
        Prompt prompt = prompt(blob);
        return blocks.write(prompt.chain(), 0, prompt::block, number -> piece(blob, number), moved);
    }

    @Override
    public IoTime read(EntryBytes blob, Scratch memory, ReadCheck check, LongConsumer moved) throws IOException {
        if (blob.bytes() == 0) {
            return IoTime.NONE; // An entry of 0 bytes has no block.
        }
        BlockChain chain = prompt(blob).chain();
        return blocks.read(chain, number -> piece(blob, number), check, moved);
    }

    private Prompt prompt(EntryBytes blob) {
        return Prompt.of(blocks.partition(), blob.id(), Math.toIntExact((blob.bytes() + blockBytes - 1) / blockBytes));
    }

    private EntryPiece piece(EntryBytes blob, int number) {
        long offset = (long) number * blockBytes;
        return new EntryPiece(blob, offset, (int) Math.min(blockBytes, blob.bytes() - offset));
    }

    @Override
    public void close() {
        blocks.close();
    }
}
