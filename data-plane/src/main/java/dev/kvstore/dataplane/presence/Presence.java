package dev.kvstore.dataplane.presence;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.protocol.block.BlockChain;
import java.time.Duration;
import java.util.function.IntFunction;

/**
 * What is known to be stored: blocks in memory, and blocks recently verified or written. Everything else is asked of
 * storage, and remembered. Thread-safe.
 */
public final class Presence {
    /** A verified block that nobody asks for is forgotten after this; storage may have lost it by then. */
    private static final Duration MEMORY_OF_VERIFIED = Duration.ofMinutes(10);

    private final Tiers tiers;
    private final Cache<BlockKey, Boolean> verified;

    /**
     * Nothing known yet.
     *
     * @param capacity most verified blocks remembered, about 150 bytes of heap each
     */
    public Presence(Tiers tiers, long capacity, Ticker ticker) {
        this.tiers = tiers;
        this.verified = Caffeine.newBuilder()
                .maximumSize(capacity)
                .expireAfterWrite(MEMORY_OF_VERIFIED)
                .ticker(ticker)
                .executor(Runnable::run)
                .build();
    }

    /** A block was seen in storage, or made durable. */
    public void stored(BlockKey key) {
        verified.put(key, Boolean.TRUE);
    }

    /** A block is not in storage. */
    public void missing(BlockKey key) {
        verified.invalidate(key);
        tiers.forget(key);
    }

    /**
     * The length of the longest stored prefix, in blocks. Costs no storage call when the last block is known, and at
     * most ceil(log2 n) + 1 otherwise.
     *
     * @param key names the block a location stands for
     */
    public int longestPrefix(BlockChain chain, BlockStore store, IntFunction<BlockKey> key) throws StorageException {
        return PrefixSearch.longest(chain.size(), i -> isKnown(key.apply(i)), i -> exists(store, key.apply(i)));
    }

    private boolean isKnown(BlockKey key) {
        return tiers.isResident(key) || verified.getIfPresent(key) != null;
    }

    private boolean exists(BlockStore store, BlockKey key) throws StorageException {
        boolean exists = store.exists(key.blobName());
        if (exists) {
            stored(key);
        }
        return exists;
    }
}
