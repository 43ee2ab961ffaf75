package dev.kvstore.dataplane.storage;

import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The blobs of one container (or directory) of a tenant. Their names are as {@link BlobName} says; any other is an
 * {@link IllegalArgumentException}.
 *
 * <p>Calls block until done and are meant for virtual threads. Each is atomic: a reader sees a blob as one writer left
 * it, or not at all. An ETag is opaque and differs whenever the content does. Whatever goes wrong in the storage is a
 * {@link StorageException}; "not there" and "changed meanwhile" are answers. Thread-safe.
 */
public interface BlockStore extends AutoCloseable {
    /** Most bytes of a blob: 65 MiB, a block of the largest buffer and header (64 MiB + 100 KiB) with room to spare. */
    int MAX_BLOB_BYTES = 65 << 20;

    /**
     * A whole blob, or null if there is none. The caller gives its memory back. One of 0 bytes, or of more than the
     * caller has use for, is a {@link Misfit}: its length is known before any of it is read, it takes no memory, and it
     * can be deleted by its ETag.
     *
     * @param most bytes, 1 to {@link #MAX_BLOB_BYTES}: anybody may have put anything under this name
     * @throws StorageException also when the blob ends early
     */
    @Nullable
    Got get(String name, int most, Allocator allocator) throws StorageException, MemoryExhaustedException;

    /**
     * Up to {@code length} bytes of a blob from {@code offset} on, fewer if it ends before; null if there is no such
     * blob, or nothing at that offset: also at 0, of an empty blob. The whole blob may be of any length. The caller
     * gives the memory back.
     *
     * @param length bytes, 1 to {@link #MAX_BLOB_BYTES}
     */
    @Nullable
    Blob getRange(String name, long offset, int length, Allocator allocator)
            throws StorageException, MemoryExhaustedException;

    /** What {@link #get} gets, unless it still is the blob with this ETag. */
    Change getIfChanged(String name, String etag, int most, Allocator allocator)
            throws StorageException, MemoryExhaustedException;

    /**
     * Stores a blob unless one of this name exists, and returns when it is durable.
     *
     * @param content the remaining bytes, 1 to {@link #MAX_BLOB_BYTES}; its position does not move
     */
    Put putIfAbsent(String name, ByteBuffer content) throws StorageException;

    /**
     * As above, of all bytes in memory that holds a block; a backend may keep a reference until it has written them, or the
     * attempt is over that a caller has given up.
     */
    default Put putIfAbsent(String name, BlockMemory content) throws StorageException {
        return putIfAbsent(name, content.bytes());
    }

    /** Replaces a blob if it still is the one with this ETag, and returns when that is durable. */
    Put putIfMatch(String name, ByteBuffer content, String etag) throws StorageException;

    boolean exists(String name) throws StorageException;

    /**
     * Whether a blob exists, and is durable: where a blob can be seen before it is, this makes it durable first. To be asked
     * before somebody is told that a blob of another writer is stored.
     */
    default boolean isDurable(String name) throws StorageException {
        return exists(name);
    }

    /** Removes a blob if it still is the one with this ETag; false if it is gone or another. */
    boolean deleteIfMatch(String name, String etag) throws StorageException;

    /**
     * Blobs whose names begin with a prefix (not necessarily a whole segment), in ascending order. Those whose names are
     * none, which other programs stored, are left out; so a page may have fewer than asked for, or none, and not be the last.
     *
     * @param prefix may be empty
     * @param after a page's continuation, or null for the first page
     * @param limit most names in a page, 1 to 5000
     */
    Page list(String prefix, @Nullable String after, int limit) throws StorageException;

    /**
     * A way for another storage to read a blob by itself, for some minutes; null if there is none. Whether there is such a blob is
     * not asked.
     */
    default @Nullable BlobLink link(String name) throws StorageException {
        return null;
    }

    /** Whether {@link #copyFrom} has this storage fetch what there is a link to: then its bytes do not come by here. */
    default boolean followsLinks() {
        return false;
    }

    /**
     * Stores a copy of another store's blob under the same name unless one exists here.
     *
     * @throws StorageException of either side; of kind {@code MISSING} if the source has no such blob, or a misfit
     */
    default Put copyFrom(BlockStore source, String name, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        return switch (source.get(name, MAX_BLOB_BYTES, allocator)) {
            case null -> throw new StorageException(Kind.MISSING, "blob " + name + " is not there to be copied", null);
            case Misfit misfit ->
                throw new StorageException(
                        Kind.MISSING, "blob " + name + " is damaged: it has " + misfit.length() + " bytes", null);
            case Blob blob -> {
                try {
                    yield putIfAbsent(name, blob.memory());
                } finally {
                    blob.memory().release();
                }
            }
        };
    }

    @Override
    void close();
}
