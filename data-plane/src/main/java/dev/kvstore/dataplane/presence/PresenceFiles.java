package dev.kvstore.dataplane.presence;

import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.presence.snapshot.Look;
import dev.kvstore.dataplane.presence.snapshot.SealedBlobs;
import dev.kvstore.dataplane.presence.snapshot.SnapshotFiles;
import dev.kvstore.dataplane.presence.snapshot.UnreadableException;
import dev.kvstore.dataplane.presence.snapshot.Version;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.protocol.block.BlockHash;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A partition's presence in the tenant's storage: a folder {@code kv/v1/<root>/presence/} with a blob per log, {@code
 * <node>.<process>.<number>}, and what {@link SnapshotFiles} puts there. Blocks until done; thread-safe.
 */
final class PresenceFiles {
    // A block is found under its own name only.
    private static final Pattern BLOCK = Pattern.compile("([0-9a-f]{2})/(\\1[0-9a-f]{62})");
    private static final int PAGE = 5000;

    private final BlockStore store;
    private final Allocator allocator;
    private final SealedBlobs blobs;
    private final BlockHash root;
    private final String partition;
    private final String folder;

    PresenceFiles(BlockStore store, Allocator allocator, BlockHash root) {
        this.store = store;
        this.allocator = allocator;
        this.blobs = new SealedBlobs(store, allocator);
        this.root = root;
        this.partition = "kv/v1/" + root.hex() + "/";
        this.folder = partition + "presence/";
    }

    /** The first eight bytes of a block's name; the rest of its path tells the partition. */
    static long key(BlockHash hash) {
        return hash.a();
    }

    /**
     * The snapshot's part of the folder.
     *
     * @param random numbers what it puts there
     */
    SnapshotFiles snapshots(RandomGenerator random) {
        return new SnapshotFiles(store, allocator, folder, random);
    }

    /** The names of all logs, those of dead processes too; one storage call up to 5000. */
    List<String> logs() throws StorageException {
        List<String> logs = new ArrayList<>();
        forEachName(folder, name -> {
            if (!SnapshotFiles.owns(name)) {
                logs.add(name);
            }
        });
        return logs;
    }

    /** A log, or null if there is none. */
    @Nullable
    Version<Log> log(String log) throws StorageException, MemoryExhaustedException, UnreadableException {
        return blobs.read(folder + log, Log::decode);
    }

    /** A log, unless it still is the one with this ETag; null for any. */
    Look<Log> logUnless(String log, @Nullable String etag)
            throws StorageException, MemoryExhaustedException, UnreadableException {
        return blobs.look(folder + log, etag, Log::decode);
    }

    /** Writes a log in place of its version with this ETag, or as a new one; null if it is not as it was left. */
    @Nullable
    String putLog(String log, Log content, @Nullable String replaced) throws StorageException {
        return blobs.put(folder + log, content.encode(), replaced);
    }

    void deleteLog(String log, String etag) throws StorageException {
        store.deleteIfMatch(folder + log, etag);
    }

    /** Whether anybody ever stored a block here. */
    boolean isDescribed() throws StorageException {
        return store.exists(partition + "partition.json");
    }

    /** The truth: the keys of all blocks in storage, in ascending order, one storage call per 5000. */
    void forEachBlock(SnapshotFiles.Visitor visitor) throws StorageException {
        forEachName(partition, name -> {
            Matcher block = BLOCK.matcher(name);
            if (block.matches()) {
                visitor.visit(key(BlockHash.ofHex(block.group(2))));
            }
        });
    }

    @FunctionalInterface
    private interface NameVisitor {
        void visit(String name) throws StorageException;
    }

    private void forEachName(String prefix, NameVisitor visitor) throws StorageException {
        String next = null;
        do {
            var page = store.list(prefix, next, PAGE);
            for (String name : page.names()) {
                visitor.visit(name.substring(prefix.length()));
            }
            next = page.next();
        } while (next != null);
    }

    @Override
    public String toString() {
        return root.hex();
    }
}
