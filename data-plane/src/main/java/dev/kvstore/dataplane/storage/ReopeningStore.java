package dev.kvstore.dataplane.storage;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import dev.kvstore.dataplane.storage.StorageMeters.StorageOperation;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A store whose credential may be replaced while it is used. If storage refuses the credential, the store is opened
 * again with the present credential, the call is tried once more, and all later calls use the new store. Thread-safe.
 */
public final class ReopeningStore extends WrappedStore {
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

    @Override
    BlockStore store() {
        return store;
    }

    @Override
    <T extends @Nullable Object, E extends Exception> T call(StorageOperation operation, StoreCall<T, E> call)
            throws StorageException, E {
        return call(call);
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
    public boolean isDurable(String name) throws StorageException {
        return call(of -> of.isDurable(name));
    }

    @Override
    public @Nullable BlobLink link(String name) throws StorageException {
        return call(of -> of.link(name));
    }
}
