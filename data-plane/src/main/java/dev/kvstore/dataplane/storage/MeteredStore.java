package dev.kvstore.dataplane.storage;

import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.StorageMeters.StorageOperation;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * A store that counts calls, errors, bytes and latency in {@link StorageMeters}, and reports outcomes to its
 * {@link StoreCondition}. Thread-safe.
 */
public final class MeteredStore implements BlockStore {
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

    private <T extends @Nullable Object, E extends Exception> T measure(
            StorageOperation operation, StorageMeters.MeasuredCall<T, E> call) throws StorageException, E {
        try {
            T result = meters.measure(operation, call);
            condition.succeeded();
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

    @Override
    public @Nullable Got get(String name, int most, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        Got got = measure(StorageOperation.GET, () -> store.get(name, most, allocator));
        count(got);
        return got;
    }

    @Override
    public @Nullable Blob getRange(String name, long offset, int length, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        Blob blob = measure(StorageOperation.GET_RANGE, () -> store.getRange(name, offset, length, allocator));
        count(blob);
        return blob;
    }

    @Override
    public BlobChange getIfChanged(String name, String etag, int most, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        BlobChange change =
                measure(StorageOperation.GET_IF_CHANGED, () -> store.getIfChanged(name, etag, most, allocator));
        if (change instanceof BlobChange.Changed(Got got)) {
            count(got);
        }
        return change;
    }

    @Override
    public PutResult putIfAbsent(String name, ByteBuffer content) throws StorageException {
        return written(content, measure(StorageOperation.PUT_IF_ABSENT, () -> store.putIfAbsent(name, content)));
    }

    @Override
    public PutResult putIfAbsent(String name, BlockMemory content) throws StorageException {
        return written(
                content.bytes(), measure(StorageOperation.PUT_IF_ABSENT, () -> store.putIfAbsent(name, content)));
    }

    @Override
    public PutResult putIfMatch(String name, ByteBuffer content, String etag) throws StorageException {
        PutResult put = measure(StorageOperation.PUT_IF_MATCH, () -> store.putIfMatch(name, content, etag));
        if (put instanceof PutResult.Stored) {
            condition.released();
        }
        return written(content, put);
    }

    @Override
    public boolean exists(String name) throws StorageException {
        return measure(StorageOperation.EXISTS, () -> store.exists(name));
    }

    @Override
    public boolean isDurable(String name) throws StorageException {
        return store.isDurable(name);
    }

    @Override
    public boolean deleteIfMatch(String name, String etag) throws StorageException {
        boolean deleted = measure(StorageOperation.DELETE_IF_MATCH, () -> store.deleteIfMatch(name, etag));
        if (deleted) {
            condition.released();
        }
        return deleted;
    }

    @Override
    public BlobPage list(String prefix, @Nullable String after, int limit) throws StorageException {
        return measure(StorageOperation.LIST, () -> store.list(prefix, after, limit));
    }

    @Override
    public PutResult copyFrom(BlockStore source, String name, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        return measure(StorageOperation.COPY_FROM, () -> store.copyFrom(source, name, allocator));
    }

    @Override
    public @Nullable BlobLink link(String name) throws StorageException {
        return store.link(name);
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

    private void count(@Nullable Got got) {
        if (got instanceof Blob blob) {
            meters.read(blob.memory().length());
        }
    }

    private PutResult written(ByteBuffer content, PutResult put) {
        if (put instanceof PutResult.Stored) {
            meters.written(content.remaining());
        }
        return put;
    }
}
