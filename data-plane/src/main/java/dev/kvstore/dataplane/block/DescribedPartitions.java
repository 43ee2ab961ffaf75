package dev.kvstore.dataplane.block;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.protocol.block.BlockHash;
import java.time.Duration;

/**
 * Partitions whose descriptor was lately written to a storage, or found there. Other partitions are described again
 * with the next write, since their storage may have been emptied: without a descriptor, readers with rights in one
 * partition are refused. Thread-safe.
 */
public final class DescribedPartitions {
    /** How long a descriptor is taken to exist; then it is written again. */
    static final Duration TRUSTED = Duration.ofMinutes(10);

    private static final int MOST = 10_000;

    private record DescriptorKey(StorageLocation storage, BlockHash root) {}

    private final Cache<DescriptorKey, Boolean> partitions;

    public DescribedPartitions() {
        this(Ticker.systemTicker());
    }

    DescribedPartitions(Ticker ticker) {
        this.partitions = Caffeine.newBuilder()
                .maximumSize(MOST)
                .expireAfterWrite(TRUSTED)
                .ticker(ticker)
                .executor(Runnable::run)
                .build();
    }

    /** Whether the descriptor of a block's partition is taken to exist. */
    public boolean contains(BlockKey key) {
        return partitions.getIfPresent(new DescriptorKey(key.storage(), key.root())) != null;
    }

    /** The descriptor of a block's partition is in its storage. */
    public void add(BlockKey key) {
        partitions.put(new DescriptorKey(key.storage(), key.root()), Boolean.TRUE);
    }
}
