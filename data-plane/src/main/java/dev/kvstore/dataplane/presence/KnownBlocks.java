package dev.kvstore.dataplane.presence;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.PurgeRules;
import dev.kvstore.dataplane.tier.Tiers;
import java.time.Duration;

/**
 * The blocks that this process knows to be stored: blocks in its memory or on its disk, and blocks that it wrote, or
 * saw in storage, within 10 minutes. Calls no storage. Thread-safe.
 */
final class KnownBlocks {
    /** The length of a block that was seen in storage, but not its header. */
    static final int ANY_LENGTH = 0;

    /** How long a block counts as stored after it was seen in storage; later, storage may have lost it. */
    private static final Duration MEMORY_OF_VERIFIED = Duration.ofMinutes(10);

    private final Tiers tiers;
    private final Cache<BlockKey, Integer> verified;

    /** @param most blocks remembered as seen in storage */
    KnownBlocks(Tiers tiers, long most, Ticker ticker) {
        this.tiers = tiers;
        this.verified = Caffeine.newBuilder()
                .maximumSize(most)
                .expireAfterWrite(MEMORY_OF_VERIFIED)
                .ticker(ticker)
                .executor(Runnable::run)
                .build();
    }

    /**
     * A block was written, or seen in storage.
     *
     * @param bufferBytes its buffer's length, or {@link #ANY_LENGTH}
     */
    void add(BlockKey key, int bufferBytes) {
        verified.put(key, bufferBytes);
    }

    /** Whether a block is known to be stored. */
    boolean contains(BlockKey key) {
        return tiers.isResident(key) || isVerified(key);
    }

    /** Whether a block was lately written or seen in storage. */
    boolean isVerified(BlockKey key) {
        return verified.getIfPresent(key) != null;
    }

    /** Length of a block's buffer, if it is known without reading the disk or storage; else {@link #ANY_LENGTH}. */
    int bufferBytes(BlockKey key) {
        int inMemory = tiers.memoryBytes(key);
        if (inMemory > 0) {
            return inMemory;
        }
        Integer seen = verified.getIfPresent(key);
        return seen == null ? ANY_LENGTH : seen;
    }

    /** Forgets a block that storage no longer has. */
    void remove(BlockKey key) {
        verified.invalidate(key);
    }

    /** Forgets the blocks that may have been purged. */
    void removeDoubtful(PurgeRules purged) {
        verified.asMap().keySet().removeIf(purged::isDoubtful);
    }
}
