package dev.kvstore.benchmark.kvcache.tier;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;

/**
 * Memory of this process, off the heap. An entry lies in chunks of 1 MiB, which are used again when it goes; what the
 * policy lets in bounds their number. Thread-safe.
 */
public final class KvCacheMemoryTier implements Tier {
    private static final int CHUNK_BYTES = 1 << 20;

    private final NoiseContent content;
    private final Arena arena = Arena.ofShared();
    private final ConcurrentLinkedQueue<MemorySegment> free = new ConcurrentLinkedQueue<>();
    private final Map<Long, List<MemorySegment>> blobs = new ConcurrentHashMap<>();
    private final LongAdder allocated = new LongAdder();

    public KvCacheMemoryTier(NoiseContent content) {
        this.content = content;
    }

    @Override
    public IoTime write(EntryBytes blob, Scratch memory, LongConsumer moved) throws IOException {
        List<MemorySegment> chunks = new ArrayList<>();
        long nanos = 0;
        for (long offset = 0; offset < blob.bytes(); offset += CHUNK_BYTES) {
            MemorySegment piece = memory.segment().asSlice(0, Math.min(CHUNK_BYTES, blob.bytes() - offset));
            content.fill(blob, offset, piece);
            MemorySegment chunk = chunk();
            nanos += copy(piece, chunk, piece.byteSize());
            chunks.add(chunk);
            moved.accept(piece.byteSize());
        }
        blobs.put(blob.id(), chunks);
        return new IoTime(nanos, 0);
    }

    private static long copy(MemorySegment from, MemorySegment to, long bytes) {
        long start = System.nanoTime();
        MemorySegment.copy(from, 0, to, 0, bytes);
        return System.nanoTime() - start;
    }

    private MemorySegment chunk() {
        MemorySegment chunk = free.poll();
        if (chunk != null) {
            return chunk;
        }
        allocated.add(CHUNK_BYTES);
        return arena.allocate(CHUNK_BYTES, NoiseContent.PAGE_BYTES);
    }

    @Override
    public IoTime read(EntryBytes blob, Scratch memory, boolean check, LongConsumer moved) throws IOException {
        List<MemorySegment> chunks = blobs.get(blob.id());
        if (chunks == null) {
            throw new IOException("entry " + blob.id() + " is not in memory");
        }
        long nanos = 0;
        long offset = 0;
        for (MemorySegment chunk : chunks) {
            MemorySegment piece = memory.segment().asSlice(0, Math.min(CHUNK_BYTES, blob.bytes() - offset));
            nanos += copy(chunk, piece, piece.byteSize());
            moved.accept(piece.byteSize());
            NoiseContent.check(blob, offset, piece, check);
            offset += CHUNK_BYTES;
        }
        return new IoTime(nanos, 0);
    }

    @Override
    public void delete(EntryBytes blob) {
        List<MemorySegment> chunks = blobs.remove(blob.id());
        if (chunks != null) {
            free.addAll(chunks);
        }
    }

    /** Bytes of all chunks, those that no entry has too. */
    long allocatedBytes() {
        return allocated.sum();
    }

    @Override
    public void close() {
        arena.close();
    }
}
