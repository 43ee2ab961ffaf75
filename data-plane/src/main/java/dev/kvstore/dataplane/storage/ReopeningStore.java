package dev.kvstore.dataplane.storage;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A store whose credential may be replaced while it is used. If storage refuses the credential, the store is opened
 * again with the present credential, the call is tried once more, and all later calls use the new store. Thread-safe.
 */
public final class ReopeningStore implements BlockStore {
    /**
     * How long a refusal stands before the credential is read again, so that a revoked credential is not read for each
     * call.
     */
    static final Duration PAUSE = Duration.ofSeconds(30);

    /** Opens the store with the credential as it is now. */
    @FunctionalInterface
    public interface Opening {
        BlockStore open() throws StorageException;
    }

    @FunctionalInterface
    private interface StoreCall<T extends @Nullable Object, E extends Exception> {
        T on(BlockStore store) throws StorageException, E;
    }

    private final Opening opening;
    private final Ticker ticker;
    private final AtomicBoolean reopening = new AtomicBoolean();
    private volatile BlockStore store;
    private volatile long since;

    /** Opens the store for the first time. */
    public ReopeningStore(Opening opening, Ticker ticker) throws StorageException {
        this.opening = opening;
        this.ticker = ticker;
        this.store = opening.open();
        this.since = ticker.read();
    }

    private <T extends @Nullable Object, E extends Exception> T call(StoreCall<T, E> call) throws StorageException, E {
        BlockStore mine = store;
        try {
            return call.on(mine);
        } catch (StorageException e) {
            if (e.kind() != Kind.FORBIDDEN || !isReplaced(mine)) {
                throw e;
            }
        }
        return call.on(store);
    }

    /** Whether there is a new store now. Only one call at a time opens it; others keep their refusal. */
    private boolean isReplaced(BlockStore refused) {
        if (store != refused) {
            return true;
        }
        if (ticker.read() - since < PAUSE.toNanos() || !reopening.compareAndSet(false, true)) {
            return false;
        }
        try {
            if (store == refused) {
                since = ticker.read();
                // Calls that use the old store go on with it; it owns nothing that must be closed.
                store = opening.open();
            }
            return true;
        } catch (StorageException e) {
            // The caller's own refusal says what is wrong; the opening is tried again.
            return false;
        } finally {
            reopening.set(false);
        }
    }

    @Override
    public @Nullable Got get(String name, int most, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        return call(of -> of.get(name, most, allocator));
    }

    @Override
    public @Nullable Blob getRange(String name, long offset, int length, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        return call(of -> of.getRange(name, offset, length, allocator));
    }

    @Override
    public BlobChange getIfChanged(String name, String etag, int most, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        return call(of -> of.getIfChanged(name, etag, most, allocator));
    }

    @Override
    public PutResult putIfAbsent(String name, ByteBuffer content) throws StorageException {
        return call(of -> of.putIfAbsent(name, content));
    }

    @Override
    public PutResult putIfAbsent(String name, BlockMemory content) throws StorageException {
        return call(of -> of.putIfAbsent(name, content));
    }

    @Override
    public PutResult putIfMatch(String name, ByteBuffer content, String etag) throws StorageException {
        return call(of -> of.putIfMatch(name, content, etag));
    }

    @Override
    public boolean exists(String name) throws StorageException {
        return call(of -> of.exists(name));
    }

    @Override
    public boolean isDurable(String name) throws StorageException {
        return call(of -> of.isDurable(name));
    }

    @Override
    public boolean deleteIfMatch(String name, String etag) throws StorageException {
        return call(of -> of.deleteIfMatch(name, etag));
    }

    @Override
    public BlobPage list(String prefix, @Nullable String after, int limit) throws StorageException {
        return call(of -> of.list(prefix, after, limit));
    }

    @Override
    public PutResult copyFrom(BlockStore source, String name, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        return call(of -> of.copyFrom(source, name, allocator));
    }

    @Override
    public @Nullable BlobLink link(String name) throws StorageException {
        return call(of -> of.link(name));
    }

    @Override
    public StorageInspection inspection() {
        return store.inspection();
    }

    @Override
    public boolean followsLinks() {
        return store.followsLinks();
    }

    @Override
    public void close() {
        store.close();
    }
}
