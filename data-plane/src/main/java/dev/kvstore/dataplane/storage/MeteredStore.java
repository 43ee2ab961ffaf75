package dev.kvstore.dataplane.storage;

import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.storage.StorageMeters.StorageOperation;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * A store that counts calls, errors, bytes and latency in {@link StorageMeters}, and reports outcomes to its
 * {@link StoreCondition}. Thread-safe.
 */
public final class MeteredStore extends WrappedStore {
    private final BlockStore store;
    private final StoreCondition condition;
    private final StorageMeters meters;

    /** A store without a condition. */
    public MeteredStore(BlockStore store, MeterRegistry registry) {
        this(store, new StoreCondition(InstantSource.system()), registry);
    }

    /** A store that counts into meters shared by a registry's stores, and notes outcomes; it closes the given store. */
    public MeteredStore(BlockStore store, StoreCondition condition, MeterRegistry registry) {
        this.store = store;
        this.condition = condition;
        this.meters = new StorageMeters(registry);
    }

    @Override
    BlockStore store() {
        return store;
    }

    @Override
    <T extends @Nullable Object, E extends Exception> T call(StorageOperation operation, StoreCall<T, E> call)
            throws StorageException, E {
        try {
            T result = meters.measure(operation, () -> call.on(store));
            condition.succeeded();
            count(result instanceof BlobChange.Changed(Got got) ? got : result);
            return result;
        } catch (StorageException e) {
            // The caller was told to give up, which says nothing of the store.
            if (!Thread.currentThread().isInterrupted()) {
                failed(operation, e.kind());
            }
            throw e;
        }
    }

    /** A store that does not let go of a blob answers all else: calls that succeed must not hide that. */
    private void failed(StorageOperation operation, StorageException.Kind kind) {
        boolean replacing = operation == StorageOperation.PUT_IF_MATCH || operation == StorageOperation.DELETE_IF_MATCH;
        if (replacing && kind == StorageException.Kind.HELD) {
            condition.succeeded();
            condition.held();
        } else {
            condition.failed(kind);
        }
    }

    private void count(@Nullable Object got) {
        if (got instanceof Blob blob) {
            meters.read(blob.memory().length());
        }
    }

    @Override
    public PutResult putIfAbsent(String name, ByteBuffer content) throws StorageException {
        return written(content, super.putIfAbsent(name, content));
    }

    @Override
    public PutResult putIfAbsent(String name, BlockMemory content) throws StorageException {
        return written(content.bytes(), super.putIfAbsent(name, content));
    }

    @Override
    public PutResult putIfMatch(String name, ByteBuffer content, String etag) throws StorageException {
        PutResult put = super.putIfMatch(name, content, etag);
        if (put instanceof PutResult.Stored) {
            condition.released();
        }
        return written(content, put);
    }

    private PutResult written(ByteBuffer content, PutResult put) {
        if (put instanceof PutResult.Stored) {
            meters.written(content.remaining());
        }
        return put;
    }

    @Override
    public boolean deleteIfMatch(String name, String etag) throws StorageException {
        boolean deleted = super.deleteIfMatch(name, etag);
        if (deleted) {
            condition.released();
        }
        return deleted;
    }
}
