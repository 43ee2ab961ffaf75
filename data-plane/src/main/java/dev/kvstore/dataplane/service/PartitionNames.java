package dev.kvstore.dataplane.service;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * From a partition's root hash, which is the only thing that a location says of it, back to its name: from earlier
 * requests, or from the descriptor beside its blocks. A root is the hash of the name, so no descriptor can claim
 * another. Thread-safe.
 */
final class PartitionNames {
    /** The longest descriptor: a name of 512 bytes, each escaped in six, and its frame. */
    private static final int DESCRIPTOR_BYTES = 4096;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Allocator allocator;
    private final Cache<BlockHash, String> names =
            Caffeine.newBuilder().maximumSize(10_000).build();

    PartitionNames(Allocator allocator) {
        this.allocator = allocator;
    }

    /** Remembers the name of a partition. */
    void learn(Partition partition) {
        names.put(partition.root(), partition.name());
    }

    /** The name of the partition with this root, or null if it has no blocks in this store. */
    @Nullable
    String name(BlockHash root, BlockStore store) throws StorageException, MemoryExhaustedException {
        String known = names.getIfPresent(root);
        if (known != null) {
            return known;
        }
        Partition partition = described(root, store);
        if (partition == null || !partition.root().equals(root)) {
            return null;
        }
        learn(partition);
        return partition.name();
    }

    private @Nullable Partition described(BlockHash root, BlockStore store)
            throws StorageException, MemoryExhaustedException {
        Blob blob = store.getRange(BlockKey.descriptorName(root), 0, DESCRIPTOR_BYTES, allocator);
        if (blob == null) {
            return null;
        }
        try {
            byte[] bytes = new byte[blob.memory().length()];
            blob.memory().bytes().get(bytes);
            JsonNode json = JSON.readTree(bytes);
            return Partition.of(
                    json.path("partition").asText(), json.path("blockTokens").asInt());
        } catch (JacksonException | IllegalArgumentException e) {
            // Not written by us, or damaged: as good as none.
            return null;
        } catch (IOException e) {
            throw new IllegalStateException("an array cannot fail to be read", e);
        } finally {
            blob.memory().release();
        }
    }
}
