package dev.kvstore.dataplane.service;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import dev.kvstore.dataplane.account.Access;
import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.AccountResolver;
import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.dataplane.account.Resolution;
import dev.kvstore.dataplane.account.ResourceName;
import dev.kvstore.dataplane.account.Rights;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.region.ReadThrough;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.tier.Origin;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.block.Partition;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Turns the resource name of a request into the account, the caller's rights and the store. Streams ask again for every
 * item, so that a revoked right ends running streams too; mostly that is a look into memory. Thread-safe.
 */
final class Grants {
    /**
     * What a caller may use of a resource.
     *
     * @param store the store that blocks are written to
     * @param origin where a block comes from if no tier has it
     */
    record Grant(Account account, String keyId, BlockStore store, Origin origin, Rights rights, RefusalLog log) {
        BlockKey key(Location location) {
            return BlockKey.of(account.storage(), location);
        }

        /**
         * Throws a refusal if the caller lacks this right in the partition. The refusal says the same as for a resource
         * that does not exist.
         */
        void require(Access access, Partition partition) throws Refusal {
            if (!rights.in(partition.name(), access)) {
                throw denied(access, partition.name());
            }
        }

        private Refusal denied(Access access, String partition) {
            String right = access.name().toLowerCase(Locale.ROOT);
            log.refused(keyId, account.resourceName(), "to " + right + " in partition " + partition);
            return Refusal.denied();
        }
    }

    private record PartitionName(String name, int blockTokens) {}

    private final AccountResolver accounts;
    private final StoreCache stores;
    private final ReadThrough readThrough;
    private final PartitionNames names;
    private final RefusalLog log = new RefusalLog();
    private final Cache<PartitionName, Partition> partitions =
            Caffeine.newBuilder().maximumSize(10_000).build();

    Grants(AccountResolver accounts, StoreCache stores, ReadThrough readThrough, Allocator allocator) {
        this.accounts = accounts;
        this.stores = stores;
        this.readThrough = readThrough;
        this.names = new PartitionNames(allocator);
    }

    /**
     * What the caller may use of a resource. The caller has at least one right there. May wait for the control plane.
     */
    Grant grant(Credential credential, String resourceName) throws Refusal {
        requireName(resourceName);
        return grant(credential, resourceName, accounts.resolve(credential, resourceName));
    }

    private static void requireName(String resourceName) throws Refusal {
        String flaw = ResourceName.flaw(resourceName);
        if (flaw != null) {
            throw Refusal.invalid("resource_name", flaw);
        }
    }

    /** Like {@link #grant}, but never waits: null if the control plane must be asked first. */
    @Nullable
    Grant known(Credential credential, String resourceName) throws Refusal {
        requireName(resourceName);
        Resolution known = accounts.known(credential, resourceName);
        return known == null || (known instanceof Resolution.Granted granted && !stores.isOpen(granted.account()))
                ? null
                : grant(credential, resourceName, known);
    }

    /**
     * Like {@link #grant}, for a caller that may read every partition. Never waits: null for any other caller, and if
     * the control plane must be asked first.
     */
    @Nullable
    Grant readingAll(Credential credential, String resourceName) throws Refusal {
        Grant grant = known(credential, resourceName);
        return grant != null && grant.rights().everywhere(Access.READ) ? grant : null;
    }

    private Grant grant(Credential credential, String resourceName, Resolution resolution) throws Refusal {
        return switch (resolution) {
            case Resolution.UnknownKey _ -> {
                log.refused(credential.keyId(), resourceName, "since the key is unknown, revoked or expired");
                throw Refusal.unauthenticated();
            }
            case Resolution.NotGranted _ -> {
                log.refused(credential.keyId(), resourceName, "since the resource is not granted to the key");
                throw Refusal.denied();
            }
            case Resolution.Unanswered(String reason) -> throw Refusal.of(Code.UNAVAILABLE, reason);
            case Resolution.Granted granted -> {
                BlockStore store = store(granted.account());
                yield new Grant(
                        granted.account(),
                        granted.keyId(),
                        store,
                        readThrough.origin(granted.account(), store),
                        granted.rights(),
                        log);
            }
        };
    }

    /**
     * Like {@link #grant}, for a caller that may read the partition with this root. The refusal does not tell whether
     * there is such a partition.
     */
    Grant reading(Credential credential, String resourceName, BlockHash root) throws Refusal {
        Grant grant = grant(credential, resourceName);
        if (grant.rights().everywhere(Access.READ)) {
            return grant;
        }
        if (grant.rights().somewhere(Access.READ)) {
            String name = name(grant, root);
            if (name != null && grant.rights().in(name, Access.READ)) {
                return grant;
            }
        }
        throw grant.denied(Access.READ, root.toString());
    }

    private @Nullable String name(Grant grant, BlockHash root) throws Refusal {
        try {
            String name = names.name(root, grant.store());
            return name == null ? nameElsewhere(grant.account(), root) : name;
        } catch (StorageException | MemoryExhaustedException e) {
            throw Failures.refusal(e, grant.account().resourceName());
        }
    }

    /** The name of a partition that has no block in this region's storage yet, from the region that is read through. */
    private @Nullable String nameElsewhere(Account account, BlockHash root) {
        return readThrough
                .ask(account, store -> Optional.ofNullable(names.name(root, store)))
                .orElse(null);
    }

    private BlockStore store(Account account) throws Refusal {
        try {
            return stores.store(account);
        } catch (StorageException e) {
            throw Failures.refusal(e, account.resourceName());
        }
    }

    /** The partition of a request. 0 tokens per block stand for the default. */
    Partition partition(String name, int blockTokens) throws Refusal {
        PartitionName key = new PartitionName(name, blockTokens == 0 ? Partition.DEFAULT_BLOCK_TOKENS : blockTokens);
        Partition known = partitions.getIfPresent(key);
        if (known != null) {
            return known;
        }
        try {
            Partition partition = Partition.of(key.name(), key.blockTokens());
            partitions.put(key, partition);
            names.learn(partition);
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
