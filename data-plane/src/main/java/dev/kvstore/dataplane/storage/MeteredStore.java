package dev.kvstore.dataplane.storage;

import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.StorageMeters.Operation;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A store whose calls, errors, bytes and latency are counted, as {@link StorageMeters} says. Thread-safe. */
public final class MeteredStore implements BlockStore {
    private final BlockStore store;
    private final StorageMeters meters;

    /** Counts into meters that all stores of a registry share; closing it closes the store. */
    public MeteredStore(BlockStore store, MeterRegistry registry) {
        this.store = store;
        this.meters = new StorageMeters(registry);
    }

    @Override
    public @Nullable Got get(String name, Allocator allocator) throws StorageException, MemoryExhaustedException {
        Got got = meters.measure(Operation.GET, () -> store.get(name, allocator));
        count(got);
        return got;
    }

    @Override
    public @Nullable Blob getRange(String name, long offset, int length, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        Blob blob = meters.measure(Operation.GET_RANGE, () -> store.getRange(name, offset, length, allocator));
        count(blob);
        return blob;
    }

    @Override
    public Change getIfChanged(String name, String etag, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        Change change = meters.measure(Operation.GET_IF_CHANGED, () -> store.getIfChanged(name, etag, allocator));
        if (change instanceof Change.Changed(Got got)) {
            count(got);
        }
        return change;
    }

    @Override
    public Put putIfAbsent(String name, ByteBuffer content) throws StorageException {
        return written(content, meters.measure(Operation.PUT_IF_ABSENT, () -> store.putIfAbsent(name, content)));
    }

    @Override
    public Put putIfMatch(String name, ByteBuffer content, String etag) throws StorageException {
        return written(content, meters.measure(Operation.PUT_IF_MATCH, () -> store.putIfMatch(name, content, etag)));
    }

    @Override
    public boolean exists(String name) throws StorageException {
        return meters.measure(Operation.EXISTS, () -> store.exists(name));
    }

    @Override
    public boolean deleteIfMatch(String name, String etag) throws StorageException {
        return meters.measure(Operation.DELETE_IF_MATCH, () -> store.deleteIfMatch(name, etag));
    }

    @Override
    public Page list(String prefix, @Nullable String after, int limit) throws StorageException {
        return meters.measure(Operation.LIST, () -> store.list(prefix, after, limit));
    }

    @Override
    public Put copyFrom(BlockStore source, String name, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        return meters.measure(Operation.COPY_FROM, () -> store.copyFrom(source, name, allocator));
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
