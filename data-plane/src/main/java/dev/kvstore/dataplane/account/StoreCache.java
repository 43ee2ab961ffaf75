package dev.kvstore.dataplane.account;

import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.StorageException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** One open store per storage location, opened when it is first asked for. Thread-safe. */
public final class StoreCache implements AutoCloseable {
    /** Opens stores. */
    @FunctionalInterface
    public interface Opener {
        BlockStore open(StorageLocation location) throws StorageException;

        /** Closes what the stores share, after them. */
        default void close() {}
    }

    private final Opener opener;
    private final Map<StorageLocation, BlockStore> stores = new ConcurrentHashMap<>();

    public StoreCache(Opener opener) {
        this.opener = opener;
    }

    /** The store behind an account. One that could not be opened is tried again by the next caller. */
    public BlockStore store(Account account) throws StorageException {
        BlockStore open = stores.get(account.storage());
        if (open != null) {
            return open;
        }
        BlockStore mine = opener.open(account.storage());
        BlockStore first = stores.putIfAbsent(account.storage(), mine);
        if (first != null) {
            mine.close();
            return first;
        }
        return mine;
    }

    /** One more store of a location, for who only tries it; the caller closes it. */
    public BlockStore apart(StorageLocation location) throws StorageException {
        return opener.open(location);
    }

    @Override
    public void close() {
        stores.values().forEach(BlockStore::close);
        stores.clear();
        opener.close();
    }
}
