package dev.kvstore.dataplane.region;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.ExpectedLength;
import dev.kvstore.dataplane.block.Fetched;
import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.block.VerifiedBlocks;
import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.storage.AddedLatency;
import dev.kvstore.dataplane.storage.ArchivedBlob;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.DelayedStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.WrongSizeBlob;
import dev.kvstore.dataplane.tier.BlockSource;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.protocol.block.BlockChain;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Fetches blocks that no tier has: from the account's storage here, and if the account reads through, from its storage
 * in one other region. A block from the other region is verified, served, and then stored here. Only the other region's
 * storage is asked, never a data plane there, so two regions may read through to each other. Thread-safe.
 */
public final class ReadThroughSource {
    /**
     * The parts that it works with.
     *
     * @param distance latency added to calls to another region's storage, for trials
     */
    public record ReadThroughDependencies(
            StoreCache stores,
            VerifiedBlocks blocks,
            Presence presence,
            Tiers tiers,
            Allocator memory,
            VerifiedBlockImporter landing,
            AddedLatency distance) {}

    private final ReadThroughDependencies dependencies;
    private final RemoteRegionCaller caller;
    private final ReadThroughWriter writer;
    private final ThroughMeters meters;

    /**
     * A source that has read through nothing yet.
     *
     * @param bytes most memory of blocks that wait to be stored here
     * @param executor a virtual thread per task
     */
    public ReadThroughSource(
            ReadThroughDependencies dependencies, long bytes, MeterRegistry meters, Ticker ticker, Executor executor) {
        this.dependencies = dependencies;
        this.meters = ThroughMeters.in(meters);
        this.caller = new RemoteRegionCaller(executor, ticker);
        this.writer = new ReadThroughWriter(
                dependencies.landing(), dependencies.tiers(), bytes, this.meters.fills(), executor);
    }

    /** The origin of an account's blocks. */
    public BlockSource origin(Account account, BlockStore here) {
        dependencies.presence().uses(account.storage());
        Account.ReadThrough through = account.readThrough();
        return through == null ? key -> fetch(key, here) : key -> fetch(key, here, through, account.resourceName());
    }

    /** Asks storage here, and tells presence of the answer. */
    private Fetched fetch(BlockKey key, BlockStore here) throws StorageException, MemoryExhaustedException {
        Presence.ExistenceQuery query = dependencies.presence().asked(key);
        Fetched fetched = dependencies.blocks().fetch(here, key);
        switch (fetched) {
            case Fetched.FetchedBlock(StoredBlock block, boolean _) ->
                dependencies.presence().found(key, block.header().bufferBytes(), query);
            case Fetched.Absent _, Fetched.Damaged _ -> dependencies.presence().missing(key, query);
        }
        return fetched;
    }

    /** A question to another region's storage. */
    @FunctionalInterface
    public interface StorageQuery<T> {
        T ask(BlockStore store) throws StorageException, MemoryExhaustedException;
    }

    /**
     * Asks the account's storage in the other region; empty if the account reads through to none, or no answer came in
     * time.
     */
    public <T> Optional<T> ask(Account account, StorageQuery<Optional<T>> question) {
        Account.ReadThrough through = account.readThrough();
        Optional<T> answer = through == null
                ? null
                : caller.ask(
                        through, meters.lookups(), () -> question.ask(store(through, account.resourceName())), _ -> {});
        return answer == null ? Optional.empty() : answer;
    }

    private BlockStore store(Account.ReadThrough through, String resourceName) throws StorageException {
        BlockStore store = dependencies.stores().store(new Account(resourceName, "", through.storage()));
        return dependencies.distance().isNone() ? store : new DelayedStore(store, dependencies.distance());
    }

    private Fetched fetch(BlockKey key, BlockStore here, Account.ReadThrough through, String resourceName)
            throws StorageException, MemoryExhaustedException {
        // Where a filter denies it, the other region is asked first: that saves a call for almost every block.
        boolean denied = !dependencies.presence().mightBeStored(key, here);
        // A block that was written here meanwhile is the one to serve.
        StoredBlock underWay = denied ? writer.find(key) : null;
        if (underWay != null) {
            return new Fetched.FetchedBlock(underWay, true);
        }
        Fetched near = denied ? new Fetched.Absent() : fetch(key, here);
        if (near instanceof Fetched.FetchedBlock) {
            return near;
        }
        Fetched come = come(key, here, through, resourceName);
        if (come instanceof Fetched.FetchedBlock) {
            return come;
        }
        return denied ? fetch(key, here) : near;
    }

    private Fetched come(BlockKey key, BlockStore here, Account.ReadThrough through, String resourceName) {
        long read = dependencies.landing().version();
        Fetched come = caller.ask(through, meters.reads(), () -> there(key, through, resourceName), late -> {
            if (late instanceof Fetched.FetchedBlock(StoredBlock block, boolean _)) {
                fill(key, block, read, here, through, resourceName);
            }
        });
        return switch (come) {
            case null -> new Fetched.Absent();
            case Fetched.FetchedBlock(StoredBlock block, boolean _) -> {
                meters.reads().found().increment();
                fill(key, block.retain(), read, here, through, resourceName);
                yield new Fetched.FetchedBlock(block, true);
            }
            case Fetched.Absent _ -> {
                meters.reads().nothing().increment();
                yield come;
            }
            case Fetched.Damaged _ -> {
                // The next reader over there finds the damage, too, and deletes the block.
                meters.reads().failed().increment();
                yield come;
            }
        };
    }

    /** Stores a block here in the background. Takes over the caller's reference. */
    private void fill(
            BlockKey key,
            StoredBlock block,
            long read,
            BlockStore here,
            Account.ReadThrough through,
            String resourceName) {
        meters.bytes().increment(block.memory().length());
        boolean given = false;
        try {
            BlockStore source = store(through, resourceName);
            given = true;
            writer.add(key, block, read, source, here);
        } catch (StorageException e) {
            // The source is open: the block has just come from it. If it is not, the next reader has it opened.
            meters.fills().failed().increment();
        } finally {
            if (!given) {
                block.release();
            }
        }
    }

    private Fetched there(BlockKey key, Account.ReadThrough through, String resourceName)
            throws StorageException, MemoryExhaustedException {
        BlockStore store = store(through, resourceName);
        BlockKey same = new BlockKey(through.storage(), key.root(), key.hash());
        if (!dependencies.presence().mightBeStoredThere(same, store)) {
            return new Fetched.Absent();
        }
        Presence.ExistenceQuery query = dependencies.presence().asked(same);
        return switch (store.get(same.blobName(), BlockStore.MAX_BLOB_BYTES, dependencies.memory())) {
            case null -> {
                dependencies.presence().missing(same, query);
                yield new Fetched.Absent();
            }
            case ArchivedBlob _ -> {
                dependencies.presence().missing(same, query);
                yield new Fetched.Absent();
            }
            case WrongSizeBlob misfit -> new Fetched.Damaged("it has " + misfit.length() + " bytes", false);
            case Blob blob -> {
                boolean kept = false;
                try {
                    Fetched fetched = VerifiedBlocks.verify(same, blob.memory());
                    if (fetched instanceof Fetched.FetchedBlock(StoredBlock block, boolean _)) {
                        dependencies.presence().found(same, block.header().bufferBytes(), query);
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

    /**
     * The length of the longest prefix of which each block is stored here or in the other region. An answer of the
     * other region that comes too late does not count.
     *
     * @param expected the length of buffers that counts, as in {@link Presence#longestPrefix}
     */
    public int longestPrefix(BlockChain chain, ExpectedLength expected, Account account, BlockStore here)
            throws StorageException, MemoryExhaustedException {
        int near = dependencies.presence().longestPrefix(chain, expected, account.storage(), here);
        Account.ReadThrough through = account.readThrough();
        if (through == null || near == chain.size()) {
            return near;
        }
        // The question may outlive the request, whose memory the chain is a view of.
        BlockChain kept = chain.kept();
        Integer both = caller.ask(
                through,
                meters.lookups(),
                () -> dependencies
                        .presence()
                        .longestPrefix(
                                kept,
                                expected,
                                account.storage(),
                                here,
                                through.storage(),
                                store(through, account.resourceName())),
                _ -> {});
        if (both == null) {
            return near;
        }
        (both > near ? meters.lookups().found() : meters.lookups().nothing()).increment();
        return Math.max(near, both);
    }

    /** Like {@link #longestPrefix}, but without a storage call: -1 if one is needed. For network threads. */
    public int knownPrefix(BlockChain chain, ExpectedLength expected, Account account) {
        int near = dependencies.presence().knownPrefix(chain, expected, account.storage());
        Account.ReadThrough through = account.readThrough();
        if (near < 0 || through == null || near == chain.size()) {
            return near;
        }
        if (caller.isPaused(through, meters.lookups())) {
            meters.lookups().paused().increment();
            return near;
        }
        return -1;
    }
}
