package dev.kvstore.benchmark.kvcache.block;

import dev.kvstore.benchmark.kvcache.engine.Ledger;
import dev.kvstore.benchmark.kvcache.engine.Slot;
import dev.kvstore.benchmark.kvcache.tier.DamageException;
import dev.kvstore.benchmark.kvcache.tier.IoTime;
import dev.kvstore.benchmark.kvcache.tier.KvStoreBlocks;
import dev.kvstore.benchmark.kvcache.tier.KvStoreBlocks.EntryPiece;
import dev.kvstore.benchmark.kvcache.tier.Scratch;
import dev.kvstore.protocol.block.BlockHash;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Blocks in KV Store, as its clients use it: a Lookup of the chain, one stream that reads the stored blocks, one that
 * writes the rest. A block whose write was acknowledged must be found from then on: one that Lookup leaves out is an
 * error. Thread-safe.
 */
public final class ServiceBlocks implements BlockCache {
    // 100 bytes each. Blocks beyond them are not missed.
    private static final int MOST_REMEMBERED = 2_000_000;

    private final KvStoreBlocks blocks;
    private final int blockBytes;
    private final AtomicReference<Ledger> ledger;
    private final long graceNanos;
    private final LongSupplier nanoTime;
    private final Map<BlockHash, Long> acknowledged = new ConcurrentHashMap<>();

    /**
     * Blocks of one partition.
     *
     * @param blocks closed with it
     * @param ledger of the period that runs
     * @param graceNanos after so long an acknowledged block must be found; 0 with a single data plane
     */
    public ServiceBlocks(
            KvStoreBlocks blocks,
            int blockBytes,
            AtomicReference<Ledger> ledger,
            long graceNanos,
            LongSupplier nanoTime) {
        this.blocks = blocks;
        this.blockBytes = blockBytes;
        this.ledger = ledger;
        this.graceNanos = graceNanos;
        this.nanoTime = nanoTime;
    }

    @Override
    public int lookup(BlockPrompt prompt) throws IOException {
        long now = nanoTime.getAsLong();
        int known = 0;
        while (known < prompt.blocks()) {
            Long since = acknowledged.get(prompt.chain().hash(known));
            if (since == null || now - since < graceNanos) {
                break;
            }
            known++;
        }
        try {
            int found = blocks.lookup(prompt.chain());
            if (found < known) {
                throw new IOException("Lookup found " + found + " blocks of a prompt of which " + known
                        + " were acknowledged: the store dropped some");
            }
            return found;
        } catch (IOException e) {
            throw counted(e);
        }
    }

    @Override
    public int read(BlockPrompt prompt, int number, Scratch memory) throws IOException {
        try {
            IoTime time = blocks.read(
                    prompt.chain().prefix(number),
                    i -> piece(prompt, i),
                    true,
                    moved -> ledger.get().read(Slot.STORAGE, moved));
            Ledger now = ledger.get();
            now.hits.add(number);
            for (int i = 0; i < number; i++) {
                (prompt.isShared(i) ? now.systemPromptHits : now.multiTurnHits).increment();
            }
            now.decodeReads.add(number);
            now.tier(Slot.STORAGE).read(time);
            return number;
        } catch (IOException e) {
            throw counted(e);
        }
    }

    @Override
    public void write(BlockPrompt prompt, int first, Scratch memory) throws IOException {
        try {
            IoTime time = blocks.write(
                    prompt.chain(),
                    first,
                    prompt::tokens,
                    i -> piece(prompt, i),
                    moved -> ledger.get().wrote(Slot.STORAGE, moved));
            long acknowledgedAt = nanoTime.getAsLong();
            for (int i = first; i < prompt.blocks() && acknowledged.size() < MOST_REMEMBERED; i++) {
                acknowledged.putIfAbsent(prompt.chain().hash(i), acknowledgedAt);
            }
            Ledger now = ledger.get();
            int number = prompt.blocks() - first;
            now.prefillWrites.add(number);
            now.offloadsStorage.add(number);
            now.tier(Slot.STORAGE).wrote(time);
        } catch (IOException e) {
            throw counted(e);
        }
    }

    private EntryPiece piece(BlockPrompt prompt, int block) {
        return new EntryPiece(prompt.blob(block, blockBytes), 0, blockBytes);
    }

    private IOException counted(IOException failure) {
        if (failure instanceof DamageException) {
            ledger.get().damaged.increment();
        }
        ledger.get().errors.increment();
        return failure;
    }

    @Override
    public void close() {
        blocks.close();
    }
}
