package dev.kvstore.dataplane.presence.log;

import dev.kvstore.dataplane.block.BlockNames;
import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.presence.snapshot.HeapLimit;
import dev.kvstore.dataplane.presence.snapshot.Look;
import dev.kvstore.dataplane.presence.snapshot.SealedBlobs;
import dev.kvstore.dataplane.presence.snapshot.SnapshotFiles;
import dev.kvstore.dataplane.presence.snapshot.SnapshotVersion;
import dev.kvstore.dataplane.presence.snapshot.UnreadableException;
import dev.kvstore.dataplane.storage.BlobPage;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.Listed;
import dev.kvstore.dataplane.storage.ReadLimits;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import dev.kvstore.protocol.block.BlockHash;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A partition's presence in the tenant's storage: a folder {@code kv/v1/<root>/presence/} with a blob per log,
 * {@code <node>.<process>.<number>}, and the blobs of {@link SnapshotFiles}. Blocks until done; thread-safe.
 */
public final class PresenceFiles {
    // A block is found under its own name only.
    private static final Pattern BLOCK = Pattern.compile("([0-9a-f]{2})/(\\1[0-9a-f]{62})");
    private static final Pattern LOG = Pattern.compile("[a-z0-9-]{1,127}\\.[0-9a-f]{16}\\.[0-9]{1,19}");
    private static final int PAGE = 5000;
    private static final int BLOCKS_PER_PAGE = PAGE / 5;

    private final BlockStore store;
    private final Guards.Guard guard;
    private final SealedBlobs blobs;
    private final BlockHash root;
    private final String partition;
    private final String folder;

    /** The presence files of an account that shares no limit with others. */
    public PresenceFiles(BlockStore store, Allocator allocator, BlockHash root) {
        this(
                store,
                allocator,
                root,
                new Guards(HeapLimit.of(0, Runtime.getRuntime().maxMemory()), System::nanoTime).of("storage"));
    }

    public PresenceFiles(BlockStore store, Allocator allocator, BlockHash root, Guards.Guard guard) {
        this.store = store;
        this.guard = guard;
        this.blobs = new SealedBlobs(store, allocator, guard.reads(), guard.account());
        this.root = root;
        this.partition = BlockNames.folder(root);
        this.folder = partition + "presence/";
    }

    /** The first eight bytes of a block's name; the rest of its path tells the partition. */
    public static long key(BlockHash hash) {
        return hash.a();
    }

    /**
     * The snapshot's part of the folder.
     *
     * @param random numbers the blobs that it puts there
     */
    public SnapshotFiles snapshots(RandomGenerator random) {
        return new SnapshotFiles(blobs, guard.heap(), guard.account(), folder, random);
    }

    /** The guard that keeps these files within limits. */
    public Guards.Guard guard() {
        return guard;
    }

    /**
     * The logs in a folder, those of dead processes too.
     *
     * @param lengths in bytes, by name; in ascending order of names
     * @param all whether the folder has no more
     */
    record Logs(Map<String, Long> lengths, boolean all) {}

    /** The logs, up to a limit; one storage call for up to 5000 names, including names that are not logs'. */
    Logs logs() throws StorageException, MemoryExhaustedException, UnreadableException {
        Map<String, Long> logs = new LinkedHashMap<>();
        String next = null;
        int names = 0;
        int pages = 0;
        do {
            BlobPage page = blobs.list(folder, next, PAGE);
            for (Listed blob : page.blobs()) {
                String name = blob.name().substring(folder.length());
                if (LOG.matcher(name).matches()) {
                    if (logs.size() == ReadLimits.LOGS) {
                        return new Logs(logs, false);
                    }
                    logs.put(name, blob.length());
                }
            }
            names += page.blobs().size();
            next = page.next();
            pages++;
        } while (next != null && names < ReadLimits.PRESENCE_NAMES && pages < ReadLimits.PRESENCE_PAGES);
        return new Logs(logs, next == null);
    }

    /** A log, or null if there is none. */
    @Nullable
    SnapshotVersion<Log> log(String log) throws StorageException, MemoryExhaustedException, UnreadableException {
        return blobs.read(folder + log, Log.MOST_BYTES, Log::decode);
    }

    /**
     * A log, unless it still is the one with this ETag; null for any.
     *
     * @param reservation is charged for its keys
     */
    Look<Log> logUnless(String log, @Nullable String etag, HeapLimit.HeapReservation reservation)
            throws StorageException, MemoryExhaustedException, UnreadableException {
        return blobs.look(folder + log, etag, Log.MOST_BYTES, bytes -> {
            reservation.take((long) bytes.remaining() / Long.BYTES * ReadLimits.LOG_KEY_HEAP_BYTES);
            return Log.decode(bytes);
        });
    }

    /** Runs work whose time grows with the size of a file, which may be anybody's. */
    public void work(Runnable work) throws UnreadableException {
        boolean _ = blobs.work(() -> {
            work.run();
            return true;
        });
    }

    /** Writes a log in place of its version with this ETag, or as a new one; null if it is not as it was left. */
    @Nullable
    String putLog(String log, Log content, @Nullable String replaced) throws StorageException {
        return blobs.put(folder + log, content.encode(), replaced);
    }

    void deleteLog(String log, String etag) throws StorageException {
        store.deleteIfMatch(folder + log, etag);
    }

    /** Whether there is a block or a descriptor, also if it is archived. Their names come before those of presence. */
    public boolean isInhabited() throws StorageException {
        String next = null;
        for (int pages = 0; pages < ReadLimits.PRESENCE_PAGES; pages++) {
            BlobPage page = page(next, 1);
            if (!page.blobs().isEmpty()) {
                return !page.blobs().getFirst().name().startsWith(folder);
            }
            next = page.next();
            if (next == null) {
                return false;
            }
        }
        return true;
    }

    /**
     * The truth: the keys of all blocks in storage that can be read, in ascending order, one storage call per 5000.
     *
     * @throws StorageException also if hardly any of the names are blocks'
     */
    public void forEachBlock(SnapshotFiles.KeyVisitor visitor) throws StorageException {
        String next = null;
        long pages = 0;
        long blocks = 0;
        do {
            BlobPage page = page(next, PAGE);
            for (Listed blob : page.blobs()) {
                Matcher block = BLOCK.matcher(blob.name().substring(partition.length()));
                if (block.matches()) {
                    blocks++;
                    if (!blob.archived()) {
                        visitor.visit(key(BlockHash.ofHex(block.group(2))));
                    }
                }
            }
            next = page.next();
            pages++;
            if (pages > ReadLimits.LISTED_PAGES + blocks / BLOCKS_PER_PAGE) {
                throw new StorageException(
                        Kind.UNAVAILABLE, pages + " pages of names have only " + blocks + " blocks", null);
            }
        } while (next != null);
    }

    private BlobPage page(@Nullable String after, int limit) throws StorageException {
        try {
            return blobs.list(partition, after, limit);
        } catch (MemoryExhaustedException | UnreadableException e) {
            throw new IllegalStateException("a listing takes no memory, and reads no blob", e);
        }
    }

    @Override
    public String toString() {
        return root.hex();
    }
}
