package dev.kvstore.dataplane.block;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.memory.Turn;
import dev.kvstore.dataplane.storage.ArchivedBlob;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.PutResult;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.WrongSizeBlob;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.format.Crc32c;
import dev.kvstore.protocol.format.HeaderReader;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Fetches, verifies, writes and deletes blocks in storage. Calls block until done. Thread-safe. */
public final class VerifiedBlocks {
    // The header of a usual block (128 tokens, up to 16 MiB) fits into one request of this length.
    private static final int HEADER_GUESS_BYTES = 2 * BlockHeader.PAGE_BYTES;

    private static final int DELETIONS = 3;

    /** Most remembered damaged blobs; beyond them the oldest are forgotten, and found again by their next reader. */
    private static final int MOST_KEPT_DAMAGED = 10_000;

    /** An answer in place of a length: the block is not stored. */
    public static final int ABSENT = -1;

    /** An answer in place of a length: the header is damaged, another block's, or of a newer version. */
    public static final int UNREADABLE = 0;

    private static final System.Logger LOG = System.getLogger(VerifiedBlocks.class.getName());

    private final Allocator allocator;
    private final Function<StorageLocation, ?> ownerOf;
    private final LongAdder damaged = new LongAdder();

    /** Blobs that are damaged and that storage did not let be deleted: their headers alone may look right. */
    private final Cache<DamagedBlob, Boolean> keptDamaged = Caffeine.newBuilder()
            .maximumSize(MOST_KEPT_DAMAGED)
            .executor(Runnable::run)
            .build();

    private record DamagedBlob(BlockKey key, String etag) {}

    /** Counts the memory of fetched blocks for their storage. */
    public VerifiedBlocks(Allocator allocator) {
        this(allocator, storage -> storage);
    }

    /**
     * Counts the memory of fetched blocks for an owner.
     *
     * @param ownerOf the owner for which the memory of a storage's blocks counts
     */
    public VerifiedBlocks(Allocator allocator, Function<StorageLocation, ?> ownerOf) {
        this.allocator = allocator;
        this.ownerOf = ownerOf;
    }

    /** Memory for a block of a storage. */
    public BlockMemory allocate(StorageLocation storage, int length) throws MemoryExhaustedException {
        return of(storage).allocate(length);
    }

    private Allocator of(StorageLocation storage) {
        return allocator.of(ownerOf.apply(storage));
    }

    /** Blocks found damaged since the start. */
    public long damaged() {
        return damaged.sum();
    }

    /** Fetches a block in one storage call and verifies all of it. */
    public Fetched fetch(BlockStore store, BlockKey key) throws StorageException, MemoryExhaustedException {
        return switch (store.get(key.blobName(), BlockStore.MAX_BLOB_BYTES, Turn.within(of(key.storage())))) {
            case null -> new Fetched.Absent();
            case ArchivedBlob _ -> new Fetched.Absent();
            case WrongSizeBlob(String etag, long length) -> told(store, key, etag, "it has " + length + " bytes");
            case Blob blob -> fetched(store, key, blob);
        };
    }

    private Fetched fetched(BlockStore store, BlockKey key, Blob blob) throws StorageException {
        boolean kept = false;
        try {
            Fetched fetched = verify(key, blob.memory());
            if (fetched instanceof Fetched.Damaged(String reason, boolean _)) {
                return told(store, key, blob.etag(), reason);
            }
            kept = fetched instanceof Fetched.FetchedBlock;
            return fetched;
        } finally {
            if (!kept) {
                blob.memory().release();
            }
        }
    }

    /** Deletes a damaged block. If storage refuses that for good, the reader still learns of the damage. */
    private Fetched.Damaged told(BlockStore store, BlockKey key, String etag, String reason) throws StorageException {
        String name = key.blobName();
        try {
            removeDamaged(store, name, etag);
            return new Fetched.Damaged(reason, true);
        } catch (StorageException e) {
            if (e.kind().passes()) {
                throw e;
            }
            keptDamaged.put(new DamagedBlob(key, etag), true);
            LOG.log(Level.INFO, "{0} is damaged ({1}), and stays: {2}", name, reason, e.getMessage());
            return new Fetched.Damaged(reason, false);
        }
    }

    /**
     * Verifies the stored block that lies in memory: its header, name, length and checksums. The caller keeps its
     * reference to the memory. Nothing is deleted.
     */
    public static Fetched verify(BlockKey key, BlockMemory memory) {
        ByteBuffer bytes = memory.bytes();
        return switch (HeaderReader.read(bytes)) {
            case HeaderReader.HeaderResult.Unknown _ -> new Fetched.Absent();
            case HeaderReader.HeaderResult.DamagedHeader flaw -> new Fetched.Damaged(flaw.reason(), false);
            case HeaderReader.HeaderResult.Longer _ -> new Fetched.Damaged("the header ends early", false);
            case HeaderReader.HeaderResult.WholeHeader whole -> {
                StoredBlock block = new StoredBlock(whole.header(), memory);
                String flaw = flaw(key, block);
                yield flaw == null ? new Fetched.FetchedBlock(block) : new Fetched.Damaged(flaw, false);
            }
        };
    }

    private static @Nullable String flaw(BlockKey key, StoredBlock block) {
        BlockHeader header = block.header();
        if (!key.matches(header)) {
            return "it is another block";
        }
        if (block.memory().length() != blobBytes(header)) {
            return "its length is not what the header says";
        }
        for (int i = 0; i < header.segments(); i++) {
            ByteBuffer segment = block.buffer(i * BlockHeader.SEGMENT_BYTES, header.segmentBytes(i));
            if (Crc32c.of(segment) != header.segmentCrc32c(i)) {
                return "segment " + i + " fails its checksum";
            }
        }
        return null;
    }

    /**
     * Stores a block unless it is stored already. Takes one storage call if it is new.
     *
     * @throws StorageException with {@link StorageException#isMaybeDone} if the block may be stored
     */
    public StoreOutcome write(BlockStore store, BlockKey key, StoredBlock block)
            throws StorageException, MemoryExhaustedException {
        String name = key.blobName();
        boolean isMaybeOwn = false;
        try {
            // The write is tried twice, because a damaged or archived block in the way is removed first.
            for (int attempt = 0; attempt < 2; attempt++) {
                PutResult put = store.putIfAbsent(name, block.memory());
                if (put instanceof PutResult.Stored) {
                    return new StoreOutcome.BlockStored();
                }
                isMaybeOwn |= put instanceof PutResult.ConditionFailed(boolean isOwn) && isOwn;
                StoreOutcome outcome = present(store, key);
                if (outcome instanceof StoreOutcome.BlockPresent blockPresent) {
                    return new StoreOutcome.BlockPresent(
                            blockPresent.crc32c(),
                            blockPresent.bufferBytes(),
                            isMaybeOwn && isSame(block.header(), blockPresent));
                }
                if (outcome != null) {
                    return outcome;
                }
            }
        } catch (StorageException e) {
            throw isMaybeOwn ? e.afterLostAnswer() : e;
        } catch (MemoryExhaustedException e) {
            if (isMaybeOwn) {
                throw new StorageException(
                        StorageException.Kind.UNAVAILABLE, name + ": no memory to read what is stored", e);
            }
            throw e;
        }
        throw new StorageException(StorageException.Kind.UNAVAILABLE, name + ": others keep changing it", null);
    }

    private static boolean isSame(BlockHeader header, StoreOutcome.BlockPresent blockPresent) {
        return header.crc32c() == blockPresent.crc32c() && header.bufferBytes() == blockPresent.bufferBytes();
    }

    /** The outcome of deleting a block. */
    public enum Deletion {
        /** The block is deleted. */
        DELETED,
        /** There was no block, or a block of another writer. */
        NOT_MEANT,
        /** The block is archived, or in a format that this version cannot read, so its writer is not known. */
        UNKNOWN
    }

    /**
     * Deletes the blob under a block's name.
     *
     * @param writer deletes only a block that this key wrote, or a damaged one, whose writer nobody can tell. Null for
     *     any writer
     */
    public Deletion delete(BlockStore store, String name, @Nullable String writer)
            throws StorageException, MemoryExhaustedException {
        boolean wasDamaged = false;
        for (int attempt = 0; attempt < DELETIONS; attempt++) {
            Blob start = writer == null ? store.getRange(name, 0, 1, allocator) : start(store, name);
            if (start == null) {
                ArchivedBlob archived = removeEmpty(store, name);
                if (archived == null) {
                    return Deletion.NOT_MEANT;
                }
                if (writer != null) {
                    return Deletion.UNKNOWN;
                }
                if (store.deleteIfMatch(name, archived.etag())) {
                    return Deletion.DELETED;
                }
                continue;
            }
            try {
                if (writer != null) {
                    switch (HeaderReader.read(start.memory().bytes())) {
                        case HeaderReader.HeaderResult.Unknown _ -> {
                            return Deletion.UNKNOWN;
                        }
                        case HeaderReader.HeaderResult.WholeHeader(BlockHeader header) -> {
                            if (!writer.equals(header.keyId())) {
                                return Deletion.NOT_MEANT;
                            }
                        }
                        default -> {
                            // The block may have been damaged on its way alone.
                            if (!wasDamaged) {
                                wasDamaged = true;
                                continue;
                            }
                        }
                    }
                }
                if (store.deleteIfMatch(name, start.etag())) {
                    return Deletion.DELETED;
                }
            } finally {
                start.memory().release();
            }
        }
        throw new StorageException(StorageException.Kind.UNAVAILABLE, name + ": others keep changing it", null);
    }

    private void removeDamaged(BlockStore store, String name, String etag) throws StorageException {
        damaged.increment();
        store.deleteIfMatch(name, etag);
    }

    /** The header of a stored block, without its buffer; null if there is none that can be read. */
    public @Nullable BlockHeader header(BlockStore store, BlockKey key)
            throws StorageException, MemoryExhaustedException {
        Blob start = start(store, key.blobName());
        if (start == null) {
            return null;
        }
        try {
            BlockHeader header = header(key, start);
            return header == null ? null : header.copy();
        } finally {
            start.memory().release();
        }
    }

    /** A view of the beginning of a blob. */
    private static @Nullable BlockHeader header(BlockKey key, Blob start) {
        return HeaderReader.read(start.memory().bytes())
                                instanceof HeaderReader.HeaderResult.WholeHeader(BlockHeader header)
                        && key.matches(header)
                        && start.length() == blobBytes(header)
                ? header
                : null;
    }

    /**
     * Length of the buffer of a stored block, by its header. Takes one storage call, and two if the header has more
     * than 8 KiB.
     *
     * @return {@link #ABSENT}, also for an archived or empty blob; {@link #UNREADABLE}; else 1 to 64 MiB
     */
    public static int bufferBytes(BlockStore store, BlockKey key, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        Blob start = start(store, key.blobName(), allocator);
        if (start == null) {
            return ABSENT;
        }
        try {
            BlockHeader header = header(key, start);
            return header == null ? UNREADABLE : header.bufferBytes();
        } finally {
            start.memory().release();
        }
    }

    /** The beginning of a blob, at least its header. */
    private @Nullable Blob start(BlockStore store, String name) throws StorageException, MemoryExhaustedException {
        return start(store, name, allocator);
    }

    private static @Nullable Blob start(BlockStore store, String name, Allocator allocator)
            throws StorageException, MemoryExhaustedException {
        Blob start = store.getRange(name, 0, HEADER_GUESS_BYTES, allocator);
        if (start != null
                && HeaderReader.read(start.memory().bytes()) instanceof HeaderReader.HeaderResult.Longer longer) {
            start.memory().release();
            start = store.getRange(name, 0, longer.headerBytes(), allocator);
        }
        return start;
    }

    /** The block that is stored under a name; null if there is none, or it was no use and has been deleted. */
    private @Nullable StoreOutcome present(BlockStore store, BlockKey key)
            throws StorageException, MemoryExhaustedException {
        String name = key.blobName();
        Blob start = start(store, name);
        if (start == null) {
            removeUnreadable(store, name);
            return null;
        }
        try {
            if (keptDamaged.getIfPresent(new DamagedBlob(key, start.etag())) != null) {
                boolean _ = store.deleteIfMatch(name, start.etag());
                return null;
            }
            return present(store, key, start);
        } finally {
            start.memory().release();
        }
    }

    private @Nullable StoreOutcome present(BlockStore store, BlockKey key, Blob start) throws StorageException {
        return switch (HeaderReader.read(start.memory().bytes())) {
            case HeaderReader.HeaderResult.WholeHeader(BlockHeader header)
            when key.matches(header) && start.length() == blobBytes(header) ->
                new StoreOutcome.BlockPresent(header.crc32c(), header.bufferBytes(), false);
            case HeaderReader.HeaderResult.Unknown unknown -> new StoreOutcome.Unreadable(unknown.version());
            case HeaderReader.HeaderResult.WholeHeader _,
                    HeaderReader.HeaderResult.Longer _,
                    HeaderReader.HeaderResult.DamagedHeader _ -> {
                removeDamaged(store, key.blobName(), start.etag());
                yield null;
            }
        };
    }

    /** Deletes a blob that is empty or archived. */
    private void removeUnreadable(BlockStore store, String name) throws StorageException, MemoryExhaustedException {
        ArchivedBlob archived = removeEmpty(store, name);
        if (archived != null) {
            boolean _ = store.deleteIfMatch(name, archived.etag());
        }
    }

    /**
     * Deletes an empty blob. A ranged read does not tell an empty or archived blob from a missing one; a get of one
     * byte does.
     *
     * @return the blob if it is archived
     */
    private @Nullable ArchivedBlob removeEmpty(BlockStore store, String name)
            throws StorageException, MemoryExhaustedException {
        switch (store.get(name, 1, allocator)) {
            case WrongSizeBlob(String etag, long length) when length == 0 -> removeDamaged(store, name, etag);
            case ArchivedBlob archived -> {
                return archived;
            }
            // Another writer was faster.
            case Blob blob -> blob.memory().release();
            case null, default -> {}
        }
        return null;
    }

    private static int blobBytes(BlockHeader header) {
        return header.headerBytes() + header.bufferBytes();
    }
}
