package dev.kvstore.dataplane.storage;

import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A store with added latency: every call waits before it is made, however many are made at a time. A virtual thread
 * that waits holds no platform thread, no memory of blocks and no connection. Thread-safe.
 */
public final class DelayedStore implements BlockStore {
    /** Lets time pass. */
    @FunctionalInterface
    interface Sleeper {
        void last(Duration time) throws InterruptedException;
    }

    private final BlockStore store;
    private final AddedLatency latency;
    private final Sleeper pause;

    /** A store with added latency. Closing it closes the given store. */
    public DelayedStore(BlockStore store, AddedLatency latency) {
        this(store, latency, Thread::sleep);
    }

    DelayedStore(BlockStore store, AddedLatency latency, Sleeper pause) {
        this.store = store;
        this.latency = latency;
        this.pause = pause;
    }

    private BlockStore afterRead() throws StorageException {
        return after(latency.reads());
    }

    private BlockStore afterWrite() throws StorageException {
        return after(latency.writes());
    }

    private BlockStore after(Duration time) throws StorageException {
        try {
            pause.last(time);
            return store;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException(Kind.UNAVAILABLE, "interrupted while added latency passed", e);
        }
    }

    @Override
    public @Nullable Got get(String name, int most, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        return afterRead().get(name, most, allocator);
    }

    @Override
    public @Nullable Blob getRange(String name, long offset, int length, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        return afterRead().getRange(name, offset, length, allocator);
    }

    @Override
    public BlobChange getIfChanged(String name, String etag, int most, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        return afterRead().getIfChanged(name, etag, most, allocator);
    }

    @Override
    public PutResult putIfAbsent(String name, ByteBuffer content) throws StorageException {
        return afterWrite().putIfAbsent(name, content);
    }

    @Override
    public PutResult putIfAbsent(String name, BlockMemory content) throws StorageException {
        return afterWrite().putIfAbsent(name, content);
    }

    @Override
    public PutResult putIfMatch(String name, ByteBuffer content, String etag) throws StorageException {
        return afterWrite().putIfMatch(name, content, etag);
    }

    @Override
    public boolean exists(String name) throws StorageException {
        return afterRead().exists(name);
    }

    @Override
    public boolean isDurable(String name) throws StorageException {
        return store.isDurable(name);
    }

    @Override
    public boolean deleteIfMatch(String name, String etag) throws StorageException {
        return afterWrite().deleteIfMatch(name, etag);
    }

    @Override
    public BlobPage list(String prefix, @Nullable String after, int limit) throws StorageException {
        return afterRead().list(prefix, after, limit);
    }

    /** Copies without latency for the source, which may add its own. */
    @Override
    public PutResult copyFrom(BlockStore source, String name, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        return afterWrite().copyFrom(source, name, allocator);
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
}
