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
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.call.CallFailures;
import dev.kvstore.dataplane.call.CallRefusal;
import dev.kvstore.dataplane.call.RefusalLog;
import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.presence.BlockOrigin;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.presence.StorageSource;
import dev.kvstore.dataplane.region.OtherRegions;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.wire.WireNames;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Turns the resource name of a request into the account, the caller's rights and the store. Streams ask again for every
 * item, so that a revoked right ends running streams too; mostly that is a look into memory. Thread-safe.
 */
public final class RequestAuthorisation {
    /**
     * The account and the rights of a caller on a resource.
     *
     * @param store the store that blocks are written to
     * @param origin which blocks are stored, and where a block comes from if no tier has it
     */
    record AuthorisedAccount(
            Account account, String keyId, BlockStore store, BlockOrigin origin, Rights rights, RefusalLog log) {
        BlockKey key(Location location) {
            return BlockKey.of(account.storage(), location);
        }

        /**
         * Throws a refusal if the caller lacks this right in the partition. The refusal says the same as for a resource
         * that does not exist.
         */
        void require(Access access, Partition partition) throws CallRefusal {
            if (!rights.in(partition.name(), access)) {
                throw denied(access, partition.name());
            }
        }

        private CallRefusal denied(Access access, String partition) {
            String right = access.name().toLowerCase(Locale.ROOT);
            log.refused(keyId, account.resourceName(), "to " + right + " in partition " + partition);
            return CallRefusal.denied();
        }
    }

    private record PartitionName(String name, int blockTokens) {}

    private final AccountResolver accounts;
    private final StoreCache stores;
    private final VerifiedBlocks blocks;
    private final Presence presence;
    private final OtherRegions regions;
    private final PartitionNames names;
    private final RefusalLog log = new RefusalLog();
    private final Cache<PartitionName, Partition> partitions =
            Caffeine.newBuilder().maximumSize(10_000).build();

    /** @param allocator gives the memory for the descriptions of partitions that are read from storage */
    public RequestAuthorisation(
            AccountResolver accounts,
            StoreCache stores,
            VerifiedBlocks blocks,
            Presence presence,
            OtherRegions regions,
            Allocator allocator) {
        this.accounts = accounts;
        this.stores = stores;
        this.blocks = blocks;
        this.presence = presence;
        this.regions = regions;
        this.names = new PartitionNames(allocator);
    }

    /**
     * The account and the rights of the caller on a resource; the caller has at least one right there. May wait for the
     * control plane.
     */
    AuthorisedAccount grant(Credential credential, String resourceName) throws CallRefusal {
        requireName(resourceName);
        return grant(credential, resourceName, accounts.resolve(credential, resourceName));
    }

    private static void requireName(String resourceName) throws CallRefusal {
        String flaw = ResourceName.flaw(resourceName);
        if (flaw != null) {
            throw CallRefusal.invalid("resource_name", flaw);
        }
    }

    /** Like {@link #grant}, but never waits: null if the control plane must be asked first. */
    @Nullable
    AuthorisedAccount known(Credential credential, String resourceName) throws CallRefusal {
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
    AuthorisedAccount readingAll(Credential credential, String resourceName) throws CallRefusal {
        AuthorisedAccount authorisedAccount = known(credential, resourceName);
        return authorisedAccount != null && authorisedAccount.rights().everywhere(Access.READ)
                ? authorisedAccount
                : null;
    }

    private AuthorisedAccount grant(Credential credential, String resourceName, Resolution resolution)
            throws CallRefusal {
        return switch (resolution) {
            case Resolution.UnknownKey(boolean expired) -> {
                log.refused(
                        credential.keyId(),
                        resourceName,
                        expired ? "since the key has expired" : "since the key is unknown or revoked");
                throw expired ? CallRefusal.expired() : CallRefusal.unauthenticated();
            }
            case Resolution.NotGranted(boolean notReady) -> {
                log.refused(
                        credential.keyId(),
                        resourceName,
                        notReady
                                ? "since no trial of the resource's storage has succeeded"
                                : "since the resource is not granted to the key");
                throw notReady ? CallRefusal.notReady(resourceName) : CallRefusal.denied();
            }
            case Resolution.Unanswered(String reason) -> throw CallRefusal.of(Code.UNAVAILABLE, reason);
            case Resolution.Granted(Account account, String keyId, Rights rights) -> {
                BlockStore store = store(account);
                yield new AuthorisedAccount(account, keyId, store, origin(account, store), rights, log);
            }
        };
    }

    private BlockOrigin origin(Account account, BlockStore store) {
        StorageSource here = presence.source(account.storage(), store, blocks);
        Account.ReadThrough through = account.readThrough();
        return through == null ? here : regions.around(here, account, through);
    }

    /**
     * Like {@link #grant}, for a caller that may read the partition with this root. The refusal does not tell whether
     * there is such a partition.
     */
    AuthorisedAccount reading(Credential credential, String resourceName, BlockHash root) throws CallRefusal {
        AuthorisedAccount authorisedAccount = grant(credential, resourceName);
        if (authorisedAccount.rights().everywhere(Access.READ)) {
            return authorisedAccount;
        }
        if (authorisedAccount.rights().somewhere(Access.READ)) {
            String name = name(authorisedAccount, root);
            if (name != null && authorisedAccount.rights().in(name, Access.READ)) {
                return authorisedAccount;
            }
        }
        throw authorisedAccount.denied(Access.READ, root.toString());
    }

    private @Nullable String name(AuthorisedAccount authorisedAccount, BlockHash root) throws CallRefusal {
        try {
            String name = names.name(root, authorisedAccount.store());
            return name == null ? nameElsewhere(authorisedAccount.account(), root) : name;
        } catch (StorageException | MemoryExhaustedException e) {
            throw CallFailures.refusal(e, authorisedAccount.account().resourceName());
        }
    }

    /** The name of a partition that has no block in this region's storage yet, from the region that is read through. */
    private @Nullable String nameElsewhere(Account account, BlockHash root) {
        return regions.ask(account, store -> Optional.ofNullable(names.name(root, store)))
                .orElse(null);
    }

    private BlockStore store(Account account) throws CallRefusal {
        try {
            return stores.store(account);
        } catch (StorageException e) {
            throw CallFailures.refusal(e, account.resourceName());
        }
    }

    /** The partition of a request. 0 tokens per block stand for the default. */
    Partition partition(String name, int blockTokens) throws CallRefusal {
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
    static CallRefusal invalid(IllegalArgumentException e) {
        String message = String.valueOf(e.getMessage());
        int colon = message.indexOf(": ");
        return CallRefusal.invalid(
                message.substring(0, Math.max(0, colon)), message.substring(colon < 0 ? 0 : colon + 2));
    }

    /** A location of a request. */
    static Location location(ByteString wire, String field) throws CallRefusal {
        try {
            return WireNames.location(wire);
        } catch (IllegalArgumentException e) {
            throw CallRefusal.invalid(field, String.valueOf(e.getMessage()));
        }
    }
}
