package dev.kvstore.dataplane.presence.snapshot;

import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.ArchivedBlob;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlobChange;
import dev.kvstore.dataplane.storage.BlobPage;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.Got;
import dev.kvstore.dataplane.storage.PutResult;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.WrongSizeBlob;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The blobs of presence of an account, decoded. Blocks until done; thread-safe. */
public final class SealedBlobs {
    /** Decodes the bytes of a blob, which are not there any more afterwards. */
    @FunctionalInterface
    public interface Decoder<T> {
        T decode(ByteBuffer bytes) throws UnreadableException;
    }

    private final BlockStore store;
    private final Allocator allocator;
    private final TenantReads reads;
    private final String account;

    /** @param account the account whose share of the reads is used */
    public SealedBlobs(BlockStore store, Allocator allocator, TenantReads reads, String account) {
        this.store = store;
        this.allocator = allocator;
        this.reads = reads;
        this.account = account;
    }

    /**
     * A blob, or null if there is none.
     *
     * @param most bytes it may have
     * @param decoder runs on a thread of its own
     */
    public <T> @Nullable SnapshotVersion<T> read(String name, int most, Decoder<T> decoder)
            throws StorageException, MemoryExhaustedException, UnreadableException {
        return reads.<@Nullable SnapshotVersion<T>>read(account, () -> {
            Got got = store.get(name, most, allocator);
            return got == null ? null : decoded(name, got, decoder);
        });
    }

    /**
     * A blob, like {@link #read}, unless it still is the one with this ETag.
     *
     * @param etag null if none was seen yet
     */
    public <T> Look<T> look(String name, @Nullable String etag, int most, Decoder<T> decoder)
            throws StorageException, MemoryExhaustedException, UnreadableException {
        if (etag == null) {
            SnapshotVersion<T> version = read(name, most, decoder);
            return version == null ? new Look.None<>() : new Look.Other<>(version);
        }
        return reads.read(account, () -> switch (store.getIfChanged(name, etag, most, allocator)) {
            case BlobChange.Unchanged _ -> new Look.UnchangedSnapshot<>();
            case BlobChange.BlobGone _ -> new Look.None<>();
            case BlobChange.Changed(Got got) -> new Look.Other<>(decoded(name, got, decoder));
        });
    }

    private <T> SnapshotVersion<T> decoded(String name, Got got, Decoder<T> decoder) throws UnreadableException {
        return switch (got) {
            case ArchivedBlob(String etag) -> throw new UnreadableException("it is archived").of(name, etag);
            case WrongSizeBlob(String etag, long length)
            when length == 0 -> throw new UnreadableException("it is empty").of(name, etag);
            case WrongSizeBlob(String etag, long length) ->
                throw UnreadableException.beyondLimits("it has " + length + " bytes")
                        .of(name, etag);
            case Blob blob -> {
                try {
                    yield new SnapshotVersion<>(
                            reads.decode(
                                    account, () -> decoder.decode(blob.memory().bytes())),
                            blob.etag());
                } catch (UnreadableException e) {
                    throw e.of(name, blob.etag());
                } finally {
                    blob.memory().release();
                }
            }
        };
    }

    /** A page of names. */
    public BlobPage list(String prefix, @Nullable String after, int limit)
            throws StorageException, MemoryExhaustedException, UnreadableException {
        return reads.list(account, () -> store.list(prefix, after, limit));
    }

    /** Whether there is a blob of this name. */
    boolean exists(String name) throws StorageException {
        return store.exists(name);
    }

    /** Runs work whose time grows with the size of a file, on a thread of its own. */
    public <T extends @Nullable Object> T work(TenantReads.Decoding<T> work) throws UnreadableException {
        return reads.decode(account, work);
    }

    /** Writes a blob in place of the one with this ETag, or of none. Returns its ETag; null if another came before. */
    public @Nullable String put(String name, ByteBuffer content, @Nullable String replaced) throws StorageException {
        ByteBuffer same = content.duplicate();
        PutResult put = replaced == null ? store.putIfAbsent(name, content) : store.putIfMatch(name, content, replaced);
        return switch (put) {
            case PutResult.Stored(String etag) -> etag;
            case PutResult.ConditionFailed(boolean isMaybeOwn) -> isMaybeOwn ? etagOf(name, same) : null;
        };
    }

    /** The ETag of a blob with this content; null if there is none, or one with another content. */
    private @Nullable String etagOf(String name, ByteBuffer content) throws StorageException {
        try {
            if (!(store.get(name, content.remaining(), allocator) instanceof Blob blob)) {
                return null;
            }
            try {
                return blob.memory().bytes().equals(content) ? blob.etag() : null;
            } finally {
                blob.memory().release();
            }
        } catch (MemoryExhaustedException e) {
            throw new StorageException(
                    StorageException.Kind.UNAVAILABLE, name + ": may be stored, and there is no memory to look", e);
        }
    }

    /** Deletes a blob, whatever it is. */
    void delete(String name) throws StorageException, MemoryExhaustedException {
        Blob start = store.getRange(name, 0, 1, allocator);
        if (start != null) {
            start.memory().release();
            store.deleteIfMatch(name, start.etag());
        } else if (store.get(name, 1, allocator) instanceof ArchivedBlob(String etag)) {
            store.deleteIfMatch(name, etag);
        }
    }
}
