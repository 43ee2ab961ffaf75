package dev.kvstore.dataplane.account;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.StorageException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/**
 * One open store for each storage location. A store is opened when it is first asked for, once for all callers, and
 * forgotten when nobody has asked for it for {@link #IDLE}. A forgotten store is not closed, since callers may still
 * use it; it owns nothing but heap, and its connections and threads belong to the opener or end when idle. Thread-safe.
 */
public final class StoreCache implements AutoCloseable {
    /** Opens stores. */
    @FunctionalInterface
    public interface Opener {
        BlockStore open(StorageLocation location) throws StorageException;

        /** Closes resources that the stores share, after the stores. */
        default void close() {}
    }

    /** Time after which an unused store is forgotten. Opening it again calls no storage. */
    static final Duration IDLE = Duration.ofHours(1);

    /** Most remembered owners: more than the accounts that a process serves. */
    private static final int MOST_OWNERS = 100_000;

    private final Opener opener;
    private final Cache<StorageLocation, BlockStore> stores;

    /** The stores that are being opened: at most one for each account that a call waits for. */
    private final Map<StorageLocation, CompletableFuture<BlockStore>> opening = new ConcurrentHashMap<>();

    /** The owners of storages, also for blocks that are kept longer than their store. */
    private final Cache<StorageLocation, Party> owners = Caffeine.newBuilder()
            .maximumSize(MOST_OWNERS)
            .executor(Runnable::run)
            .build();

    public StoreCache(Opener opener) {
        this(opener, Ticker.systemTicker());
    }

    /** A cache with another clock, for tests. */
    public StoreCache(Opener opener, Ticker ticker) {
        this.opener = opener;
        this.stores = Caffeine.newBuilder()
                .expireAfterAccess(IDLE)
                .ticker(ticker)
                .executor(Runnable::run)
                .build();
    }

    /**
     * The store of an account. Callers that want a store which is being opened wait for it, and for its failure; a
     * store that could not be opened is opened again for the next caller.
     */
    public BlockStore store(Account account) throws StorageException {
        BlockStore open = stores.getIfPresent(account.storage());
        if (open != null) {
            return open;
        }
        owners.put(account.storage(), Party.tenant(account.tenant()));
        CompletableFuture<BlockStore> mine = new CompletableFuture<>();
        CompletableFuture<BlockStore> first = opening.putIfAbsent(account.storage(), mine);
        if (first == null) {
            // The store is opened on a thread of its own: a caller that leaves does not end the opening for the others.
            Thread.ofVirtual().name("store-opening").start(() -> open(account.storage(), mine));
        }
        return awaited(account, first == null ? mine : first);
    }

    private void open(StorageLocation location, CompletableFuture<BlockStore> outcome) {
        try {
            BlockStore open = stores.getIfPresent(location);
            // Another caller may have opened the store between this caller's two looks.
            if (open == null) {
                open = opener.open(location);
                stores.put(location, open);
            }
            outcome.complete(open);
        } catch (StorageException | RuntimeException | Error e) {
            outcome.completeExceptionally(e);
        } finally {
            opening.remove(location, outcome);
        }
    }

    private static BlockStore awaited(Account account, CompletableFuture<BlockStore> outcome) throws StorageException {
        try {
            return outcome.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException(
                    StorageException.Kind.UNAVAILABLE,
                    "the caller left while the storage of " + account.resourceName() + " was opened",
                    e);
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case StorageException failure -> throw failure.again();
                case RuntimeException failure -> throw failure;
                case null, default -> throw new IllegalStateException(e.getCause());
            }
        }
    }

    /** The tenant that owns the blocks of a storage; a party for the storage alone, if the tenant is not known. */
    public Party owner(StorageLocation storage) {
        Party owner = owners.getIfPresent(storage);
        return owner == null ? new Party("storage " + storage.place()) : owner;
    }

    /** Whether the store of an account is open, so that {@link #store} does not wait. */
    public boolean isOpen(Account account) {
        return stores.getIfPresent(account.storage()) != null;
    }

    /** Another store of a location, for a trial. The caller closes it. */
    public BlockStore apart(StorageLocation location) throws StorageException {
        return opener.open(location);
    }

    /** Callers that wait until the store of an account is open; an estimate, for tests. */
    int waiting(Account account) {
        CompletableFuture<BlockStore> outcome = opening.get(account.storage());
        return outcome == null ? 0 : outcome.getNumberOfDependents();
    }

    /** Number of stores. */
    int size() {
        stores.cleanUp();
        return stores.asMap().size();
    }

    @Override
    public void close() {
        Map<StorageLocation, BlockStore> open = stores.asMap();
        open.values().forEach(BlockStore::close);
        stores.invalidateAll();
        opener.close();
    }
}
