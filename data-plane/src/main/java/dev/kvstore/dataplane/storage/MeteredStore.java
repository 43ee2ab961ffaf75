package dev.kvstore.dataplane.storage;

import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.StorageMeters.Operation;
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

    /** Counts into meters that all stores of a registry share, and notes outcomes; closing it closes the store. */
    public MeteredStore(BlockStore store, StoreCondition condition, MeterRegistry registry) {
        this.store = store;
        this.condition = condition;
        this.meters = new StorageMeters(registry);
    }

    private <T extends @Nullable Object, E extends Exception> T measure(
            Operation operation, StorageMeters.Call<T, E> call) throws StorageException, E {
        try {
            T result = meters.measure(operation, call);
            condition.succeeded();
            return result;
        } catch (StorageException e) {
            // Its caller was told to give up: that says nothing of the store.
            if (!Thread.currentThread().isInterrupted()) {
                condition.failed(e.kind());
            }
            throw e;
        }
    }

    @Override
    public @Nullable Got get(String name, int most, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        Got got = measure(Operation.GET, () -> store.get(name, most, allocator));
        count(got);
        return got;
    }

    @Override
    public @Nullable Blob getRange(String name, long offset, int length, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        Blob blob = measure(Operation.GET_RANGE, () -> store.getRange(name, offset, length, allocator));
        count(blob);
        return blob;
    }

    @Override
    public Change getIfChanged(String name, String etag, int most, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        Change change = measure(Operation.GET_IF_CHANGED, () -> store.getIfChanged(name, etag, most, allocator));
        if (change instanceof Change.Changed(Got got)) {
            count(got);
        }
        return change;
    }

    @Override
    public Put putIfAbsent(String name, ByteBuffer content) throws StorageException {
        return written(content, measure(Operation.PUT_IF_ABSENT, () -> store.putIfAbsent(name, content)));
    }

    @Override
    public Put putIfAbsent(String name, BlockMemory content) throws StorageException {
        return written(content.bytes(), measure(Operation.PUT_IF_ABSENT, () -> store.putIfAbsent(name, content)));
    }

    @Override
    public Put putIfMatch(String name, ByteBuffer content, String etag) throws StorageException {
        return written(content, measure(Operation.PUT_IF_MATCH, () -> store.putIfMatch(name, content, etag)));
    }

    @Override
    public boolean exists(String name) throws StorageException {
        return measure(Operation.EXISTS, () -> store.exists(name));
    }

    @Override
    public boolean isDurable(String name) throws StorageException {
        return measure(Operation.EXISTS, () -> store.isDurable(name));
    }

    @Override
    public boolean deleteIfMatch(String name, String etag) throws StorageException {
        return measure(Operation.DELETE_IF_MATCH, () -> store.deleteIfMatch(name, etag));
    }

    @Override
    public Page list(String prefix, @Nullable String after, int limit) throws StorageException {
        return measure(Operation.LIST, () -> store.list(prefix, after, limit));
    }

    @Override
    public Put copyFrom(BlockStore source, String name, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        return measure(Operation.COPY_FROM, () -> store.copyFrom(source, name, allocator));
    }

    @Override
    public @Nullable BlobLink link(String name) throws StorageException {
        return store.link(name);
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

    private Put written(ByteBuffer content, Put put) {
        if (put instanceof Put.Stored) {
            meters.written(content.remaining());
        }
        return put;
    }
}
