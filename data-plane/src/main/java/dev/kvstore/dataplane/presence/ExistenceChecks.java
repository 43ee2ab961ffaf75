package dev.kvstore.dataplane.presence;

import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.ExpectedLength;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.presence.log.PresenceFiles;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.tier.Tiers;

/** Asks storage whether it has blocks that a filter does not deny, and remembers the answers. Thread-safe. */
record ExistenceChecks(Tiers tiers, Allocator allocator, KnownBlocks known, PresenceMeters meters) {
    /** Asks whether a block exists. */
    boolean exists(BlockKey key, PreparedFilter filter) throws StorageException {
        long asked = filter.partition().asked();
        Tiers.BlockMoment before = tiers.now(key);
        boolean exists = filter.store().exists(key.blobName());
        if (exists) {
            exists(key, filter, KnownBlocks.ANY_LENGTH, before);
        } else {
            lacks(key, filter, asked);
        }
        return exists;
    }

    private void exists(BlockKey key, PreparedFilter filter, int bufferBytes, Tiers.BlockMoment before) {
        verified(key, bufferBytes, before);
        filter.partition().seen(PresenceFiles.key(key.hash()));
    }

    /** Remembers that storage has a block, unless it may have been purged, or stored anew, since. */
    void verified(BlockKey key, int bufferBytes, Tiers.BlockMoment before) {
        known.add(key, bufferBytes);
        // The order matters: a thread that hears of a change after this look forgets the block.
        if (!tiers.isCurrent(key, before)) {
            known.remove(key);
        }
    }

    private void lacks(BlockKey key, PreparedFilter filter, long asked) {
        if (filter.trusted()) {
            meters.falsePositives().increment();
            filter.partition().missing(PresenceFiles.key(key.hash()), asked);
        }
    }

    /**
     * Length of the buffer of a block, by its header on disk or in storage. Answers as
     * {@link VerifiedBlocks#bufferBytes}.
     */
    int bufferBytes(BlockKey key, PreparedFilter filter) throws StorageException, MemoryExhaustedException {
        int near = tiers.diskBytes(key);
        if (near > 0) {
            return near;
        }
        long asked = filter.partition().asked();
        Tiers.BlockMoment before = tiers.now(key);
        int bytes = VerifiedBlocks.bufferBytes(filter.store(), key, allocator);
        if (bytes == VerifiedBlocks.ABSENT) {
            lacks(key, filter, asked);
        } else if (bytes != VerifiedBlocks.UNREADABLE) {
            exists(key, filter, bytes, before);
        }
        return bytes;
    }

    /** Whether a block has the expected length, as far as that is known without a storage call. */
    PrefixSearch.Fit fit(BlockKey key, ExpectedLength expected) {
        int bytes = known.bufferBytes(key);
        if (bytes == KnownBlocks.ANY_LENGTH) {
            return PrefixSearch.Fit.UNKNOWN;
        }
        if (expected.admits(bytes)) {
            return PrefixSearch.Fit.FITS;
        }
        // A block that was seen some time ago may have been stored anew, with another length.
        return tiers.memoryBytes(key) == bytes ? PrefixSearch.Fit.OTHER : PrefixSearch.Fit.UNKNOWN;
    }
}
