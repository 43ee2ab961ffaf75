package dev.kvstore.dataplane.storage;

import dev.kvstore.dataplane.memory.Allocator;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryExhaustedException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Blobs on the heap, for tests that need many small ones quickly; a backend like any other. Thread-safe. */
public final class MemoryStore implements BlockStore {
    private record StoredContent(ByteBuffer bytes, String etag, Instant modified, boolean archived) {
        int length() {
            return bytes.limit();
        }
    }

    private final AtomicLong etags = new AtomicLong();
    private final ConcurrentNavigableMap<String, StoredContent> blobs = new ConcurrentSkipListMap<>();

    private final Queue<String> listed = new ConcurrentLinkedQueue<>();

    private StoredContent content(ByteBuffer buffer) {
        ByteBuffer copy =
                ByteBuffer.allocate(buffer.remaining()).put(buffer.duplicate()).flip();
        return new StoredContent(copy, Long.toString(etags.incrementAndGet()), Instant.now(), false);
    }

    /** Puts zeros, as another program would; any length. */
    public void putZeros(String name, int length) {
        blobs.put(name, content(ByteBuffer.allocate(length)));
    }

    /** Archives a blob, as a rule of its owner would. */
    public void archive(String name) {
        blobs.computeIfPresent(name, (_, blob) -> new StoredContent(blob.bytes, blob.etag, blob.modified, true));
    }

    /** The prefixes that were listed so far. */
    public List<String> listed() {
        return List.copyOf(listed);
    }

    /** Loses a blob, as another program would. */
    public void lose(String name) {
        blobs.remove(name);
    }

    @Override
    public @Nullable Got get(String name, int most, Allocator allocator) throws MemoryExhaustedException {
        Arguments.requireMost(most);
        StoredContent content = blobs.get(BlobName.require(name));
        if (content == null) {
            return null;
        }
        if (content.archived) {
            return new ArchivedBlob(content.etag);
        }
        if (WrongSizeBlob.is(content.length(), most)) {
            return new WrongSizeBlob(content.etag, content.length());
        }
        return blob(content, 0, content.length(), allocator);
    }

    private static Blob blob(StoredContent content, int offset, int length, Allocator allocator)
            throws MemoryExhaustedException {
        BlockMemory memory = allocator.allocate(length);
        memory.bytes().put(content.bytes.slice(offset, length));
        return new Blob(memory, content.etag, content.length());
    }

    @Override
    public @Nullable Blob getRange(String name, long offset, int length, Allocator allocator)
            throws MemoryExhaustedException {
        Arguments.requireRange(offset, length);
        StoredContent content = blobs.get(BlobName.require(name));
        if (content == null || content.archived || offset >= content.length()) {
            return null;
        }
        return blob(content, (int) offset, (int) Math.min(length, content.length() - offset), allocator);
    }

    @Override
    public BlobChange getIfChanged(String name, String etag, int most, Allocator allocator)
            throws MemoryExhaustedException {
        Arguments.requireMost(most);
        StoredContent content = blobs.get(BlobName.require(name));
        if (content == null) {
            return new BlobChange.BlobGone();
        }
        if (content.etag.equals(etag)) {
            return new BlobChange.Unchanged();
        }
        Got got = get(name, most, allocator);
        return got == null ? new BlobChange.BlobGone() : new BlobChange.Changed(got);
    }

    @Override
    public PutResult putIfAbsent(String name, ByteBuffer buffer) {
        BlobName.require(name);
        Arguments.requireContent(buffer);
        StoredContent content = content(buffer);
        return blobs.putIfAbsent(name, content) == null
                ? new PutResult.Stored(content.etag)
                : new PutResult.ConditionFailed();
    }

    @Override
    public PutResult putIfMatch(String name, ByteBuffer buffer, String etag) {
        BlobName.require(name);
        Arguments.requireContent(buffer);
        StoredContent content = content(buffer);
        StoredContent now = blobs.computeIfPresent(name, (_, old) -> old.etag.equals(etag) ? content : old);
        return content.equals(now) ? new PutResult.Stored(content.etag) : new PutResult.ConditionFailed();
    }

    @Override
    public boolean exists(String name) {
        StoredContent content = blobs.get(BlobName.require(name));
        return content != null && !content.archived && !WrongSizeBlob.is(content.length());
    }

    @Override
    public boolean deleteIfMatch(String name, String etag) {
        StoredContent content = blobs.get(BlobName.require(name));
        return content != null && content.etag.equals(etag) && blobs.remove(name, content);
    }

    @Override
    public BlobPage list(String prefix, @Nullable String after, int limit) {
        Arguments.requireLimit(limit);
        listed.add(prefix);
        List<Listed> found = new ArrayList<>();
        String from = after == null ? BlobName.requirePrefix(prefix) : after;
        for (Map.Entry<String, StoredContent> entry :
                blobs.tailMap(from, after == null).entrySet()) {
            String name = entry.getKey();
            if (!name.startsWith(prefix)) {
                break;
            }
            if (!BlobName.is(name)) {
                continue;
            }
            if (found.size() == limit) {
                return new BlobPage(found, found.getLast().name());
            }
            found.add(new Listed(
                    name,
                    entry.getValue().length(),
                    entry.getValue().modified(),
                    entry.getValue().archived()));
        }
        return new BlobPage(found, null);
    }

    @Override
    public void close() {
        // Its content is storage's, and outlives the stores that use it.
    }
}
