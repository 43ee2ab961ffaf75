package dev.kvstore.benchmark.kvcache.tier;

import dev.kvstore.benchmark.kvcache.tier.KvStoreBlocks.EntryPiece;
import dev.kvstore.benchmark.measure.Prompt;
import java.io.IOException;
import java.util.function.LongConsumer;

/**
 * KV Store itself: an entry is a prompt of blocks that no other entry shares; one of 0 bytes has no block. Device time
 * is the time of the whole call: client, network and service. Nothing is deleted: KV Store's clients cannot delete.
 * Thread-safe.
 *
 * @param blocks of a partition that nobody else writes to; closed with it
 * @param blockBytes of each block but the last of an entry; whole pages
 */
public record KvStoreTier(KvStoreBlocks blocks, int blockBytes) implements Tier {
    @Override
    public IoTime write(EntryBytes blob, Scratch memory, LongConsumer moved) throws IOException {
        if (blob.bytes() == 0) {
            return IoTime.NONE;
        }
        Prompt prompt = prompt(blob);
        return blocks.write(prompt.chain(), 0, prompt::block, number -> piece(blob, number), moved);
    }

    @Override
    public IoTime read(EntryBytes blob, Scratch memory, boolean check, LongConsumer moved) throws IOException {
        return blob.bytes() == 0
                ? IoTime.NONE
                : blocks.read(prompt(blob).chain(), number -> piece(blob, number), check, moved);
    }

    private Prompt prompt(EntryBytes blob) {
        return Prompt.of(blocks.partition(), blob.id(), Math.toIntExact(Math.ceilDiv(blob.bytes(), blockBytes)));
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
