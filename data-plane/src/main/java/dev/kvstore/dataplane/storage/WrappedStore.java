package dev.kvstore.dataplane.storage;

import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.StorageMeters.StorageOperation;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A store that does something before or after each call of another one. */
abstract class WrappedStore implements BlockStore {
    /** A call to the wrapped store, which may also fail for want of memory. */
    @FunctionalInterface
    interface StoreCall<T extends @Nullable Object, E extends Exception> {
        T on(BlockStore store) throws StorageException, E;
    }

    /** The wrapped store. */
    abstract BlockStore store();

    /** Makes a call that storage answers. */
    abstract <T extends @Nullable Object, E extends Exception> T call(StorageOperation operation, StoreCall<T, E> call)
            throws StorageException, E;

    @Override
    public @Nullable Got get(String name, int most, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        return call(StorageOperation.GET, of -> of.get(name, most, allocator));
    }

    @Override
    public @Nullable Blob getRange(String name, long offset, int length, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        return call(StorageOperation.GET_RANGE, of -> of.getRange(name, offset, length, allocator));
    }

    @Override
    public BlobChange getIfChanged(String name, String etag, int most, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        return call(StorageOperation.GET_IF_CHANGED, of -> of.getIfChanged(name, etag, most, allocator));
    }

    @Override
    public PutResult putIfAbsent(String name, ByteBuffer content) throws StorageException {
        return call(StorageOperation.PUT_IF_ABSENT, of -> of.putIfAbsent(name, content));
    }

    @Override
    public PutResult putIfAbsent(String name, BlockMemory content) throws StorageException {
        return call(StorageOperation.PUT_IF_ABSENT, of -> of.putIfAbsent(name, content));
    }

    @Override
    public PutResult putIfMatch(String name, ByteBuffer content, String etag) throws StorageException {
        return call(StorageOperation.PUT_IF_MATCH, of -> of.putIfMatch(name, content, etag));
    }

    @Override
    public boolean exists(String name) throws StorageException {
        return call(StorageOperation.EXISTS, of -> of.exists(name));
    }

    @Override
    public boolean isDurable(String name) throws StorageException {
        return store().isDurable(name);
    }

    @Override
    public boolean deleteIfMatch(String name, String etag) throws StorageException {
        return call(StorageOperation.DELETE_IF_MATCH, of -> of.deleteIfMatch(name, etag));
    }

    @Override
    public BlobPage list(String prefix, @Nullable String after, int limit) throws StorageException {
        return call(StorageOperation.LIST, of -> of.list(prefix, after, limit));
    }

    @Override
    public PutResult copyFrom(BlockStore source, String name, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        return call(StorageOperation.COPY_FROM, of -> of.copyFrom(source, name, allocator));
    }

    @Override
    public @Nullable BlobLink link(String name) throws StorageException {
        return store().link(name);
    }

    @Override
    public StorageInspection inspection() {
        return store().inspection();
    }

    @Override
    public boolean followsLinks() {
        return store().followsLinks();
    }

    @Override
    public void close() {
        store().close();
    }
}
