package dev.kvstore.dataplane.account;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.StorageException;
import java.time.Duration;
import java.util.Map;

/**
 * One open store for each storage location. A store is opened when it is first asked for, and forgotten when nobody has
 * asked for it for {@link #IDLE}. A forgotten store is not closed, since callers may still use it; it owns nothing but
 * heap, and its connections and threads belong to the opener or end when idle. Thread-safe.
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

    /** The store of an account. If it could not be opened, the next caller tries again. */
    public BlockStore store(Account account) throws StorageException {
        BlockStore open = stores.getIfPresent(account.storage());
        if (open != null) {
            return open;
        }
        owners.put(account.storage(), Party.tenant(account.tenant()));
        BlockStore mine = opener.open(account.storage());
        BlockStore first = stores.asMap().putIfAbsent(account.storage(), mine);
        if (first != null) {
            mine.close();
            return first;
        }
        return mine;
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
