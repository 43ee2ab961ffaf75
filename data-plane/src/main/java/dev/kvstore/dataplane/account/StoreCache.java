package dev.kvstore.dataplane.account;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.StorageException;
import java.time.Duration;
import java.util.Map;

/**
 * One open store per storage location, opened when it is first asked for, and forgotten when nobody has asked for
 * {@link #IDLE}. A store that is forgotten is not closed, since whoever has it goes on with it: of its own it has
 * nothing but heap; connections and threads are the opener's, or end when idle. Thread-safe.
 */
public final class StoreCache implements AutoCloseable {
    /** Opens stores. */
    @FunctionalInterface
    public interface Opener {
        BlockStore open(StorageLocation location) throws StorageException;

        /** Closes what the stores share, after them. */
        default void close() {}
    }

    /** After which a store is forgotten; opening it again asks storage nothing. */
    static final Duration IDLE = Duration.ofHours(1);

    /** Beyond the accounts that any process serves. */
    private static final int MOST_OWNERS = 100_000;

    private final Opener opener;
    private final Cache<StorageLocation, BlockStore> stores;

    /** Whose the stores are; asked for blocks that are kept longer than stores are. */
    private final Cache<StorageLocation, Party> owners = Caffeine.newBuilder()
            .maximumSize(MOST_OWNERS)
            .executor(Runnable::run)
            .build();

    public StoreCache(Opener opener) {
        this(opener, Ticker.systemTicker());
    }

    /** By another clock. */
    public StoreCache(Opener opener, Ticker ticker) {
        this.opener = opener;
        this.stores = Caffeine.newBuilder()
                .expireAfterAccess(IDLE)
                .ticker(ticker)
                .executor(Runnable::run)
                .build();
    }

    /** The store behind an account. One that could not be opened is tried again by the next caller. */
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

    /** The tenant that owns what lies in a storage, as far as that is known; else the storage stands for its own. */
    public Party owner(StorageLocation storage) {
        Party owner = owners.getIfPresent(storage);
        return owner == null ? new Party("storage " + storage.place()) : owner;
    }

    /** Whether the store behind an account is open, so that {@link #store} does not wait. */
    public boolean isOpen(Account account) {
        return stores.getIfPresent(account.storage()) != null;
    }

    /** One more store of a location, for who only tries it; the caller closes it. */
    public BlockStore apart(StorageLocation location) throws StorageException {
        return opener.open(location);
    }

    /** Stores that are not forgotten. */
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
