package dev.kvstore.dataplane.presence;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.ExpectedLength;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.protocol.block.BlockChain;
import java.util.List;

/**
 * The blocks of one storage of this region: filters and existence checks say which are stored, and presence learns from
 * each answer of storage. Thread-safe.
 */
public final class StorageSource implements BlockOrigin {
    private final Presence presence;
    private final ExistenceChecks checks;
    private final VerifiedBlocks blocks;
    private final StorageLocation storage;
    private final BlockStore store;

    StorageSource(
            Presence presence,
            ExistenceChecks checks,
            VerifiedBlocks blocks,
            StorageLocation storage,
            BlockStore store) {
        this.presence = presence;
        this.checks = checks;
        this.blocks = blocks;
        this.storage = storage;
        this.store = store;
    }

    /** The storage itself. */
    public BlockStore store() {
        return store;
    }

    @Override
    public Fetched fetch(BlockKey key) throws StorageException, MemoryExhaustedException {
        Presence.ExistenceQuery query = presence.asked(key);
        Fetched fetched = blocks.fetch(store, key);
        switch (fetched) {
            case Fetched.FetchedBlock(StoredBlock block, boolean _) ->
                presence.found(key, block.header().bufferBytes(), query);
            case Fetched.Absent _, Fetched.Damaged _ -> presence.missing(key, query);
        }
        return fetched;
    }

    /**
     * {@inheritDoc} Costs at most ceil(log2 n) + 1 storage calls, n being the blocks before the first one that the
     * filter denies; none if the filter denies the first block. If {@code expected} is not {@link ExpectedLength#ANY},
     * one call more is made for the first block; blocks between the first and the last whose length is not known here
     * are not asked for.
     */
    @Override
    public int longestPrefix(BlockChain chain, ExpectedLength expected)
            throws StorageException, MemoryExhaustedException {
        return prepared(chain).answer(filter -> longest(chain, expected, filter.candidates(chain, 0), List.of(filter)));
    }

    /**
     * The length of the longest prefix of which each block is stored here or in another storage; a block in both has
     * the length that it has here. Costs at most twice as many calls as
     * {@link #longestPrefix(BlockChain, ExpectedLength)}.
     *
     * @param other storage of the same account, in another region
     */
    public int longestPrefix(BlockChain chain, ExpectedLength expected, StorageLocation other, BlockStore otherStore)
            throws StorageException, MemoryExhaustedException {
        PreparedFilter there = presence.prepared(new StoredPartition(other, chain.root(), true), otherStore);
        return prepared(chain)
                .answer(here -> longest(chain, expected, candidates(chain, here, there), List.of(here, there)));
    }

    private PreparedFilter prepared(BlockChain chain) {
        return presence.prepared(new StoredPartition(storage, chain.root()), store);
    }

    private static int candidates(BlockChain chain, PreparedFilter here, PreparedFilter there) {
        int candidates = 0;
        int before;
        do {
            before = candidates;
            candidates = there.candidates(chain, here.candidates(chain, before));
        } while (candidates > before && candidates < chain.size());
        return candidates;
    }

    private int longest(BlockChain chain, ExpectedLength expected, int candidates, List<PreparedFilter> filters)
            throws StorageException, MemoryExhaustedException {
        int[] made = {0};
        int stored;
        if (expected.isAny()) {
            stored = PrefixSearch.longest(
                    candidates,
                    i -> filters.stream()
                            .anyMatch(filter -> checks.known()
                                    .contains(key(filter.storedPartition().storage(), chain, i))),
                    i -> isStored(chain, i, filters, made));
        } else {
            stored = PrefixSearch.longestOfLength(
                    candidates,
                    i -> fit(chain, i, expected, filters),
                    i -> isStored(chain, i, expected, filters, made));
        }
        checks.meters().checks().increment(made[0]);
        checks.meters().checksPerLookup().record(made[0]);
        return stored;
    }

    private boolean isStored(BlockChain chain, int index, List<PreparedFilter> filters, int[] made)
            throws StorageException {
        for (PreparedFilter filter : filters) {
            if (filter.mightContain(chain.head(index))) {
                made[0]++;
                if (checks.exists(key(filter.storedPartition().storage(), chain, index), filter)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether the block that a reader would get has a buffer of the expected length. */
    private boolean isStored(
            BlockChain chain, int index, ExpectedLength expected, List<PreparedFilter> filters, int[] made)
            throws StorageException, MemoryExhaustedException {
        for (PreparedFilter filter : filters) {
            if (filter.mightContain(chain.head(index))) {
                made[0]++;
                int bytes = checks.bufferBytes(key(filter.storedPartition().storage(), chain, index), filter);
                if (bytes != VerifiedBlocks.ABSENT) {
                    return expected.admits(bytes);
                }
            }
        }
        return false;
    }

    /** The length of a block as far as it is known without a storage call. */
    private PrefixSearch.Fit fit(BlockChain chain, int index, ExpectedLength expected, List<PreparedFilter> filters) {
        for (PreparedFilter filter : filters) {
            PrefixSearch.Fit fit = checks.fit(key(filter.storedPartition().storage(), chain, index), expected);
            if (fit != PrefixSearch.Fit.UNKNOWN || filter.mightContain(chain.head(index))) {
                return fit;
            }
        }
        return PrefixSearch.Fit.UNKNOWN;
    }

    private static BlockKey key(StorageLocation storage, BlockChain chain, int index) {
        return BlockKey.of(storage, chain.location(index));
    }

    @Override
    public int knownPrefix(BlockChain chain, ExpectedLength expected) {
        PartitionPresence partition = presence.known(new StoredPartition(storage, chain.root()));
        if (partition == null || !partition.isPrepared()) {
            return -1;
        }
        int stored = partition.prepare() ? partition.candidates(chain, 0) : chain.size();
        if (expected.isAny()) {
            if (stored > 0 && !checks.known().contains(key(storage, chain, stored - 1))) {
                return -1;
            }
        } else {
            stored = PrefixSearch.knownOfLength(stored, i -> checks.fit(key(storage, chain, i), expected));
            if (stored < 0) {
                return -1;
            }
        }
        checks.meters().checksPerLookup().record(0);
        return stored;
    }
}
