package dev.kvstore.dataplane.region;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.account.Account;
import dev.kvstore.dataplane.account.StoreCache;
import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.presence.BlockOrigin;
import dev.kvstore.dataplane.presence.Presence;
import dev.kvstore.dataplane.presence.StorageSource;
import dev.kvstore.dataplane.storage.AddedLatency;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.DelayedStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.tier.Tiers;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * The state that all accounts share that read through to other regions: the questions under way, and the blocks that wait to be
 * stored here. Only another region's storage is asked, never a data plane there, so two regions may read through to
 * each other. Thread-safe.
 */
public final class OtherRegions {
    /**
     * The parts that it works with.
     *
     * @param distance latency added to calls to another region's storage, for trials
     */
    public record RegionDependencies(
            StoreCache stores,
            Presence presence,
            Tiers tiers,
            Allocator memory,
            VerifiedBlockImporter importer,
            AddedLatency distance) {}

    final RegionDependencies dependencies;
    final RemoteRegionCaller caller;
    final ReadThroughWriter writer;
    final ThroughMeters meters;

    /**
     * Other regions, of which none was asked yet.
     *
     * @param bytes most memory of blocks that wait to be stored here
     * @param executor a virtual thread per task
     */
    public OtherRegions(
            RegionDependencies dependencies, long bytes, MeterRegistry meters, Ticker ticker, Executor executor) {
        this.dependencies = dependencies;
        this.meters = ThroughMeters.in(meters);
        this.caller = new RemoteRegionCaller(executor, ticker);
        this.writer = new ReadThroughWriter(
                dependencies.importer(), dependencies.tiers(), bytes, this.meters.fills(), executor);
    }

    /** The blocks of an account that reads through: those of its storage here, and of its storage in one other region. */
    public BlockOrigin around(StorageSource here, Account account, Account.ReadThrough through) {
        return new ReadThroughSource(this, here, account, through);
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
                : caller.ask(through, meters.lookups(), () -> question.ask(store(account, through)), _ -> {});
        return answer == null ? Optional.empty() : answer;
    }

    /** The account's storage in the other region. */
    BlockStore store(Account account, Account.ReadThrough through) throws StorageException {
        BlockStore store = dependencies.stores().store(new Account(account.resourceName(), "", through.storage()));
        return dependencies.distance().isNone() ? store : new DelayedStore(store, dependencies.distance());
    }
}
