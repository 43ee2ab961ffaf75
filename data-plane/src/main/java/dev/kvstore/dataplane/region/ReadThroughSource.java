package dev.kvstore.dataplane.region;

import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.ExpectedLength;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.presence.BlockOrigin;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.presence.StorageSource;
import dev.kvstore.dataplane.storage.ArchivedBlob;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.WrongSizeBlob;
import dev.kvstore.protocol.block.BlockChain;

/**
 * The blocks of an account that reads through: of its storage here, else of its storage in one other region. A block
 * from the other region is verified, served, and then stored here. Thread-safe.
 */
final class ReadThroughSource implements BlockOrigin {
    private final OtherRegions regions;
    private final Presence presence;
    private final StorageSource here;
    private final Account account;
    private final Account.ReadThrough through;

    ReadThroughSource(OtherRegions regions, StorageSource here, Account account, Account.ReadThrough through) {
        this.regions = regions;
        this.presence = regions.dependencies.presence();
        this.here = here;
        this.account = account;
        this.through = through;
    }

    @Override
    public Fetched fetch(BlockKey key) throws StorageException, MemoryExhaustedException {
        // Where a filter denies it, the other region is asked first: that saves a call for almost every block.
        boolean denied = !presence.mightBeStored(key, here.store());
        // A block that was written here meanwhile is the one to serve.
        StoredBlock underWay = denied ? regions.writer.find(key) : null;
        if (underWay != null) {
            return new Fetched.FetchedBlock(underWay, true);
        }
        Fetched near = denied ? new Fetched.Absent() : here.fetch(key);
        if (near instanceof Fetched.FetchedBlock) {
            return near;
        }
        Fetched come = come(key);
        if (come instanceof Fetched.FetchedBlock) {
            return come;
        }
        return denied ? here.fetch(key) : near;
    }

    private Fetched come(BlockKey key) {
        long read = regions.dependencies.importer().version();
        Fetched come = regions.caller.ask(through, regions.meters.reads(), () -> there(key), late -> {
            if (late instanceof Fetched.FetchedBlock(StoredBlock block, boolean _)) {
                fill(key, block, read);
            }
        });
        return switch (come) {
            case null -> new Fetched.Absent();
            case Fetched.FetchedBlock(StoredBlock block, boolean _) -> {
                regions.meters.reads().found().increment();
                fill(key, block.retain(), read);
                yield new Fetched.FetchedBlock(block, true);
            }
            case Fetched.Absent _ -> {
                regions.meters.reads().nothing().increment();
                yield come;
            }
            case Fetched.Damaged _ -> {
                // The next reader over there finds the damage, too, and deletes the block.
                regions.meters.reads().failed().increment();
                yield come;
            }
        };
    }

    /** Stores a block here in the background. Takes over the caller's reference. */
    private void fill(BlockKey key, StoredBlock block, long read) {
        regions.meters.bytes().increment(block.memory().length());
        boolean given = false;
        try {
            BlockStore source = regions.store(account, through);
            given = true;
            regions.writer.add(key, block, read, source, here.store());
        } catch (StorageException e) {
            // The source is open: the block has just come from it. If it is not, the next reader has it opened.
            regions.meters.fills().failed().increment();
        } finally {
            if (!given) {
                block.release();
            }
        }
    }

    private Fetched there(BlockKey key) throws StorageException, MemoryExhaustedException {
        BlockStore store = regions.store(account, through);
        BlockKey same = new BlockKey(through.storage(), key.root(), key.hash());
        if (!presence.mightBeStoredThere(same, store)) {
            return new Fetched.Absent();
        }
        Presence.ExistenceQuery query = presence.asked(same);
        return switch (store.get(same.blobName(), BlockStore.MAX_BLOB_BYTES, regions.dependencies.memory())) {
            case null -> {
                presence.missing(same, query);
                yield new Fetched.Absent();
            }
            case ArchivedBlob _ -> {
                presence.missing(same, query);
                yield new Fetched.Absent();
            }
            case WrongSizeBlob misfit -> new Fetched.Damaged("it has " + misfit.length() + " bytes", false);
            case Blob blob -> {
                boolean kept = false;
                try {
                    Fetched fetched = VerifiedBlocks.verify(same, blob.memory());
                    if (fetched instanceof Fetched.FetchedBlock(StoredBlock block, boolean _)) {
                        presence.found(same, block.header().bufferBytes(), query);
                        kept = true;
                    }
                    yield fetched;
                } finally {
                    if (!kept) {
                        blob.memory().release();
                    }
                }
            }
        };
    }

    /** {@inheritDoc} An answer of the other region that comes too late does not count. */
    @Override
    public int longestPrefix(BlockChain chain, ExpectedLength expected)
            throws StorageException, MemoryExhaustedException {
        int near = here.longestPrefix(chain, expected);
        if (near == chain.size()) {
            return near;
        }
        // The question may outlive the request, whose memory the chain is a view of.
        BlockChain kept = chain.kept();
        Integer both = regions.caller.ask(
                through,
                regions.meters.lookups(),
                () -> here.longestPrefix(kept, expected, through.storage(), regions.store(account, through)),
                _ -> {});
        if (both == null) {
            return near;
        }
        (both > near
                        ? regions.meters.lookups().found()
                        : regions.meters.lookups().nothing())
                .increment();
        return Math.max(near, both);
    }

    @Override
    public int knownPrefix(BlockChain chain, ExpectedLength expected) {
        int near = here.knownPrefix(chain, expected);
        if (near < 0 || near == chain.size()) {
            return near;
        }
        if (regions.caller.isPaused(through, regions.meters.lookups())) {
            regions.meters.lookups().paused().increment();
            return near;
        }
        return -1;
    }
}
