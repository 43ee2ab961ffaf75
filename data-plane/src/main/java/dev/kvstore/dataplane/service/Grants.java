package dev.kvstore.dataplane.service;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.protobuf.ByteString;
import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.AccountResolver;
import dev.kvstore.dataplane.account.Resolution;
import dev.kvstore.dataplane.account.ResourceName;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.block.Partition;

/** From the names in a request to what they stand for, checked. Thread-safe. */
final class Grants {
    /** What a caller may use under the resource name it gave. */
    record Grant(Account account, String keyId, BlockStore store) {
        BlockKey key(Location location) {
            return BlockKey.of(account.storage(), location);
        }
    }

    private record PartitionName(String name, int blockTokens) {}

    private final AccountResolver accounts;
    private final StoreCache stores;
    private final Cache<PartitionName, Partition> partitions =
            Caffeine.newBuilder().maximumSize(10_000).build();

    Grants(AccountResolver accounts, StoreCache stores) {
        this.accounts = accounts;
        this.stores = stores;
    }

    Grant grant(String apiKey, String resourceName) throws Refusal {
        String flaw = ResourceName.flaw(resourceName);
        if (flaw != null) {
            throw Refusal.invalid("resource_name", flaw);
        }
        return switch (accounts.resolve(apiKey, resourceName)) {
            case Resolution.UnknownKey _ -> throw Refusal.unauthenticated();
            case Resolution.NotGranted _ -> throw Refusal.denied();
            case Resolution.Granted granted -> new Grant(granted.account(), granted.keyId(), store(granted.account()));
        };
    }

    private BlockStore store(Account account) throws Refusal {
        try {
            return stores.store(account);
        } catch (StorageException e) {
            throw Failures.refusal(e, account.resourceName());
        }
    }

    /** The partition of a request, 0 tokens per block standing for the default. */
    Partition partition(String name, int blockTokens) throws Refusal {
        PartitionName key = new PartitionName(name, blockTokens == 0 ? Partition.DEFAULT_BLOCK_TOKENS : blockTokens);
        Partition known = partitions.getIfPresent(key);
        if (known != null) {
            return known;
        }
        try {
            Partition partition = Partition.of(key.name(), key.blockTokens());
            partitions.put(key, partition);
            return partition;
        } catch (IllegalArgumentException e) {
            throw invalid(e);
        }
    }

    /** A refusal from a message of the form "field: flaw". */
    static Refusal invalid(IllegalArgumentException e) {
        String message = String.valueOf(e.getMessage());
        int colon = message.indexOf(": ");
        return Refusal.invalid(message.substring(0, Math.max(0, colon)), message.substring(colon < 0 ? 0 : colon + 2));
    }

    /** A location of a request. */
    static Location location(ByteString wire, String field) throws Refusal {
        try {
            return Location.of(wire);
        } catch (IllegalArgumentException e) {
            throw Refusal.invalid(field, String.valueOf(e.getMessage()));
        }
    }
}
