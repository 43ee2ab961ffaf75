package dev.kvstore.dataplane.block;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.ArchivedBlob;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.Got;
import dev.kvstore.dataplane.storage.ReadLimits;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Makes sure that partitions that are written have their descriptors, without which readers with rights in one
 * partition are refused. A descriptor is read once in {@link #TRUSTED}, since others may delete, empty or damage it
 * while processes run, and is written if it is not good. Thread-safe.
 */
public final class DescribedPartitions {
    /** How long a descriptor is taken to exist; the next write after that reads it. */
    static final Duration TRUSTED = Duration.ofMinutes(1);

    private static final int MOST = 10_000;
    private static final System.Logger LOG = System.getLogger(DescribedPartitions.class.getName());

    private record DescriptorKey(StorageLocation storage, BlockHash root) {}

    /** Knows a partition, or asks for it. */
    @FunctionalInterface
    public interface PartitionSource {
        /** The partition; null if it cannot be known. */
        @Nullable
        Partition partition() throws StorageException, MemoryExhaustedException;
    }

    private final Ticker ticker;

    /** When each descriptor was last looked at. */
    private final Cache<DescriptorKey, AtomicLong> seen;

    public DescribedPartitions(Ticker ticker) {
        this.ticker = ticker;
        this.seen =
                Caffeine.newBuilder().maximumSize(MOST).executor(Runnable::run).build();
    }

    /**
     * Reads the descriptor of a block's partition, unless it was read within the last minute, and writes it if it is
     * missing, empty or damaged. If several writers come together once the minute is over, one reads and the others do
     * not wait.
     *
     * @param memory for 4 KiB while the descriptor is read
     * @param source is asked if the descriptor must be written; if it does not know the partition, nothing is written,
     *     and the next call reads again: its source may know
     */
    public void describe(BlockKey key, BlockStore store, Allocator memory, PartitionSource source)
            throws StorageException, MemoryExhaustedException {
        DescriptorKey descriptorKey = new DescriptorKey(key.storage(), key.root());
        if (!isDue(descriptorKey)) {
            return;
        }
        boolean described = false;
        try {
            described = isDescribed(key, store, memory, source);
        } finally {
            if (described) {
                seen.put(descriptorKey, new AtomicLong(ticker.read()));
            } else {
                seen.invalidate(descriptorKey);
            }
        }
    }

    private boolean isDue(DescriptorKey descriptorKey) {
        AtomicLong at = seen.getIfPresent(descriptorKey);
        if (at == null) {
            return true;
        }
        long last = at.get();
        long now = ticker.read();
        return now - last >= TRUSTED.toNanos() && at.compareAndSet(last, now);
    }

    /** Writes the descriptor if it is not good; false if the source does not know the partition. */
    private static boolean isDescribed(BlockKey key, BlockStore store, Allocator memory, PartitionSource source)
            throws StorageException, MemoryExhaustedException {
        Got there = store.get(key.descriptorName(), ReadLimits.DESCRIPTOR_BYTES, memory);
        if (partition(there, key.root()) != null) {
            return true;
        }
        Partition partition = source.partition();
        if (partition == null) {
            return false;
        }
        // If another process was faster, its descriptor is as good.
        ByteBuffer content = PartitionDescriptor.encode(partition);
        if (there == null) {
            var _ = store.putIfAbsent(key.descriptorName(), content);
        } else {
            replace(key, store, content, there);
        }
        return true;
    }

    private static void replace(BlockKey key, BlockStore store, ByteBuffer content, Got there) throws StorageException {
        try {
            if (there instanceof ArchivedBlob) {
                // Storage deletes an archived blob, and does not overwrite it.
                boolean _ = store.deleteIfMatch(key.descriptorName(), there.etag());
                var _ = store.putIfAbsent(key.descriptorName(), content);
            } else {
                var _ = store.putIfMatch(key.descriptorName(), content, there.etag());
            }
            LOG.log(Level.INFO, "{0} was empty, damaged or archived, and was written again", key.descriptorName());
        } catch (StorageException e) {
            if (e.kind() != Kind.FORBIDDEN && e.kind() != Kind.HELD) {
                throw e;
            }
            // A lease or a policy keeps the descriptor as it is: blocks can be stored all the same.
            LOG.log(Level.DEBUG, "{0} cannot be read, and stays so: {1}", key.descriptorName(), e.getMessage());
        }
    }

    /** The partition that a blob names as its descriptor, or null. Gives the blob's memory back. */
    public static @Nullable Partition partition(@Nullable Got descriptor, BlockHash root) {
        if (!(descriptor instanceof Blob blob)) {
            return null;
        }
        try {
            return PartitionDescriptor.decode(blob.memory().bytes(), root);
        } finally {
            blob.memory().release();
        }
    }
}
