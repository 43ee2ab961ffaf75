package dev.kvstore.dataplane.storage;

import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The blobs of one container (or directory) of a tenant. A name that breaks the rules of {@link BlobName} is an
 * {@link IllegalArgumentException}.
 *
 * <p>Calls block until done and are meant for virtual threads. Each is atomic: a reader sees a blob as one writer left
 * it, or not at all. An ETag is opaque and differs whenever the content does. "Not there" and "changed meanwhile" are
 * answers; every failure of the storage is a {@link StorageException}, whose kind says whether to try later
 * ({@code UNAVAILABLE}, {@code THROTTLED}) or that an admin must act ({@code FORBIDDEN}, {@code MISSING},
 * {@code FULL}, {@code HELD}). Thread-safe.
 */
public interface BlockStore extends AutoCloseable {
    /** Most bytes of a blob: 65 MiB, a block of the largest buffer and header (64 MiB + 100 KiB) with room to spare. */
    int MAX_BLOB_BYTES = 65 << 20;

    /**
     * A whole blob, or null if there is none. The caller gives the memory of a {@link Blob} back. A blob of 0 bytes, or
     * of more than {@code most}, is answered as a {@link WrongSizeBlob}: its length and its ETag, by which the caller
     * can delete it. No byte of it is read, and it takes no memory. An archived blob is answered as an
     * {@link ArchivedBlob}.
     *
     * @param most bytes that the caller can use, 1 to {@link #MAX_BLOB_BYTES}; the tenant may have put a blob of any
     *     length there
     * @throws StorageException also when the blob ends early
     */
    @Nullable
    Got get(String name, int most, Allocator allocator) throws StorageException, MemoryExhaustedException;

    /**
     * Up to {@code length} bytes of a blob from {@code offset} on, fewer if the blob ends before. Null if there is no
     * such blob, or if it has no byte at that offset; so an empty blob is null at offset 0, and so is an
     * {@link ArchivedBlob}. The whole blob may be of any length. The caller gives the memory back.
     *
     * @param length bytes, 1 to {@link #MAX_BLOB_BYTES}
     */
    @Nullable
    Blob getRange(String name, long offset, int length, Allocator allocator)
            throws StorageException, MemoryExhaustedException;

    /**
     * Gets a blob like {@link #get}, if it no longer has this ETag: {@link BlobChange.Changed}. Otherwise the answer is
     * {@link BlobChange.Unchanged}, without the blob's bytes, or {@link BlobChange.BlobGone}. A blob with this ETag is
     * unchanged, even if it was archived meanwhile.
     */
    BlobChange getIfChanged(String name, String etag, int most, Allocator allocator)
            throws StorageException, MemoryExhaustedException;

    /**
     * Stores a blob unless one of this name exists, and returns {@link PutResult.Stored} when it is durable. If one
     * exists, whatever its content, nothing changes and the answer is {@link PutResult.ConditionFailed}; that blob need
     * not be durable yet, see {@link #isDurable}.
     *
     * @param content the remaining bytes, 1 to {@link #MAX_BLOB_BYTES}; its position does not move
     */
    PutResult putIfAbsent(String name, ByteBuffer content) throws StorageException;

    /**
     * Like {@link #putIfAbsent(String, ByteBuffer)}, with all bytes of the memory. If the caller is interrupted while
     * the backend sends the bytes, the backend may keep a reference to the memory after the call has ended.
     */
    default PutResult putIfAbsent(String name, BlockMemory content) throws StorageException {
        return putIfAbsent(name, content.bytes());
    }

    /**
     * Replaces a blob if it still has this ETag, and returns {@link PutResult.Stored} when the new one is durable; else
     * {@link PutResult.ConditionFailed}. A blob that the storage does not overwrite, but lets be deleted, as an
     * {@link ArchivedBlob}, is deleted first; a failure in between leaves none.
     */
    PutResult putIfMatch(String name, ByteBuffer content, String etag) throws StorageException;

    /** Whether a blob exists that can be read; an {@link ArchivedBlob} and a {@link WrongSizeBlob} cannot. */
    boolean exists(String name) throws StorageException;

    /**
     * Whether a blob that was just seen is durable. A backend whose blobs can be seen before they are durable makes the
     * blob durable first, and answers false if it is gone; of other backends this takes no call. Ask this before a
     * client is told that a block of another writer is stored.
     */
    default boolean isDurable(String name) throws StorageException {
        return true;
    }

    /** Removes a blob if it still has this ETag; false if it is gone or was replaced. */
    boolean deleteIfMatch(String name, String etag) throws StorageException;

    /**
     * Blobs whose names begin with a prefix (which may end within a segment), in ascending order. Blobs of other
     * programs, whose names break the rules of {@link BlobName}, are left out. So a page may have fewer blobs than
     * asked for, or none, although more pages follow.
     *
     * @param prefix may be empty
     * @param after a page's continuation, or null for the first page
     * @param limit most names in a page, 1 to 5000
     */
    BlobPage list(String prefix, @Nullable String after, int limit) throws StorageException;

    /**
     * A link by which another storage can read a blob by itself, for some minutes; null if this storage makes no links.
     * The blob need not exist.
     */
    default @Nullable BlobLink link(String name) throws StorageException {
        return null;
    }

    /**
     * Whether {@link #copyFrom} lets this storage fetch a blob by its {@link #link}: then the bytes do not pass through
     * this process.
     */
    default boolean followsLinks() {
        return false;
    }

    /**
     * Stores a copy of another store's blob under the same name, unless a blob of that name exists here.
     *
     * @throws StorageException of either side; of kind {@code MISSING} if the source has no such blob, or a
     *     {@link WrongSizeBlob} or an {@link ArchivedBlob} instead; here the kind does not mean that an admin must act
     */
    default PutResult copyFrom(BlockStore source, String name, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        return switch (source.get(name, MAX_BLOB_BYTES, allocator)) {
            case null -> throw new StorageException(Kind.MISSING, "blob " + name + " is not there to be copied", null);
            case WrongSizeBlob misfit ->
                throw new StorageException(
                        Kind.MISSING, "blob " + name + " is damaged: it has " + misfit.length() + " bytes", null);
            case ArchivedBlob _ -> throw new StorageException(Kind.MISSING, "blob " + name + " is archived", null);
            case Blob blob -> {
                try {
                    yield putIfAbsent(name, blob.memory());
                } finally {
                    blob.memory().release();
                }
            }
        };
    }

    /** Looks for settings of the storage that an admin should know of. */
    default StorageInspection inspection() {
        return StorageInspection.NONE;
    }

    @Override
    void close();
}
