package dev.kvstore.dataplane.presence;

import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import dev.kvstore.dataplane.storage.Blob;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.Change;
import dev.kvstore.dataplane.storage.Got;
import dev.kvstore.dataplane.storage.Misfit;
import dev.kvstore.dataplane.storage.Put;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.protocol.block.BlockHash;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A partition's presence in the tenant's storage: {@code kv/v1/<root>/presence/snapshot}, and next to it a blob per log,
 * {@code <node>.<process>.<number>}. Blocks until done; thread-safe.
 */
final class PresenceFiles {
    /** A decoded blob and its ETag. */
    record Version<T>(T content, String etag) {}

    private static final String SNAPSHOT = "snapshot";
    private static final Pattern BLOCK = Pattern.compile("[0-9a-f]{2}/([0-9a-f]{64})");
    private static final int PAGE = 5000;

    private final BlockStore store;
    private final Allocator allocator;
    private final BlockHash root;
    private final String partition;
    private final String folder;

    PresenceFiles(BlockStore store, Allocator allocator, BlockHash root) {
        this.store = store;
        this.allocator = allocator;
        this.root = root;
        this.partition = "kv/v1/" + root.hex() + "/";
        this.folder = partition + "presence/";
    }

    /** The first eight bytes of a block's name; the rest of its path tells the partition. */
    static long key(BlockHash hash) {
        return hash.a();
    }

    /** The names of all logs, those of dead processes too; one storage call up to 5000. */
    List<String> logs() throws StorageException {
        List<String> logs = new ArrayList<>();
        forEachName(folder, name -> {
            if (!name.endsWith("/" + SNAPSHOT)) {
                logs.add(name.substring(folder.length()));
            }
        });
        return logs;
    }

    /** The snapshot unless it still is the one with this ETag. */
    @Nullable
    Version<Snapshot> snapshotUnless(@Nullable String etag)
            throws StorageException, MemoryExhaustedException, UnreadableException {
        return read(folder + SNAPSHOT, etag, Snapshot::decode);
    }

    /** A log unless it still is the one with this ETag, or is gone. */
    @Nullable
    Version<Log> logUnless(String log, @Nullable String etag)
            throws StorageException, MemoryExhaustedException, UnreadableException {
        return read(folder + log, etag, Log::decode);
    }

    @FunctionalInterface
    private interface Decoder<T> {
        T decode(ByteBuffer bytes) throws UnreadableException;
    }

    private <T> @Nullable Version<T> read(String name, @Nullable String etag, Decoder<T> decoder)
            throws StorageException, MemoryExhaustedException, UnreadableException {
        return switch (etag == null ? store.get(name, allocator) : changed(name, etag)) {
            case null -> null;
            case Misfit misfit ->
                throw new UnreadableException("it has " + misfit.length() + " bytes").of(name, misfit.etag());
            case Blob blob -> {
                try {
                    yield new Version<>(decoder.decode(blob.memory().bytes()), blob.etag());
                } catch (UnreadableException e) {
                    throw e.of(name, blob.etag());
                } finally {
                    blob.memory().release();
                }
            }
        };
    }

    private @Nullable Got changed(String name, String etag) throws StorageException, MemoryExhaustedException {
        return store.getIfChanged(name, etag, allocator) instanceof Change.Changed changed ? changed.got() : null;
    }

    /** Writes a snapshot in place of the one with this ETag, or of none; its ETag, or null if another came before. */
    @Nullable
    String putSnapshot(Snapshot snapshot, @Nullable String replaced) throws StorageException {
        return put(folder + SNAPSHOT, snapshot.encode(), replaced);
    }

    /** Writes a log in place of its version with this ETag, or as a new one; null if it is not as it was left. */
    @Nullable
    String putLog(String log, Log content, @Nullable String replaced) throws StorageException {
        return put(folder + log, content.encode(), replaced);
    }

    private @Nullable String put(String name, ByteBuffer content, @Nullable String replaced) throws StorageException {
        Put put = replaced == null ? store.putIfAbsent(name, content) : store.putIfMatch(name, content, replaced);
        return put instanceof Put.Stored stored ? stored.etag() : null;
    }

    void deleteLog(String log, String etag) throws StorageException {
        store.deleteIfMatch(folder + log, etag);
    }

    /** Whether anybody ever stored a block here. */
    boolean isDescribed() throws StorageException {
        return store.exists(partition + "partition.json");
    }

    /** The truth: the keys of all blocks in storage, one storage call per 5000. */
    List<Long> listBlocks() throws StorageException {
        List<Long> keys = new ArrayList<>();
        forEachName(partition, name -> {
            Matcher block = BLOCK.matcher(name.substring(partition.length()));
            if (block.matches()) {
                keys.add(key(BlockHash.ofHex(block.group(1))));
            }
        });
        return keys;
    }

    private void forEachName(String prefix, Consumer<String> action) throws StorageException {
        String next = null;
        do {
            var page = store.list(prefix, next, PAGE);
            page.names().forEach(action);
            next = page.next();
        } while (next != null);
    }

    @Override
    public String toString() {
        return root.hex();
    }
}
