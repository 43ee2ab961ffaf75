package dev.kvstore.dataplane.memory;

import static java.util.Comparator.comparingInt;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs of pages out of large chunks, the best fit first: the shortest free run that is long enough, and among equally
 * short ones the run in the oldest chunk. So blocks of one length lie side by side, and free pages stay together. Page
 * heap and span are TCMalloc's words.
 *
 * <p>Pages that were given back keep their memory, for the next taker. Where blocks of very different length leave gaps
 * that nothing fits in, the memory of the longest gaps goes back to the system, so that all pages together never have
 * more than was allowed and is kept spare. Thread-safe.
 */
final class PageHeap {
    /** Bytes of a chunk: 55 blocks of 1.2 MB, and 1 % left over. */
    static final int CHUNK_BYTES = 64 << 20;

    /** A position in the order of free spans, from which a search begins. */
    private record SpanSearch(int pages, long chunk, int first) {
        static final Comparator<SpanSearch> ORDER = comparingInt(SpanSearch::pages)
                .thenComparingLong(SpanSearch::chunk)
                .thenComparingInt(SpanSearch::first);

        static SpanSearch of(Span span) {
            return new SpanSearch(span.pages(), span.chunk().number(), span.first());
        }

        /** The position before any span of so many pages, and after all shorter spans. */
        static SpanSearch before(int pages) {
            return new SpanSearch(pages, -1, 0);
        }
    }

    private final long mostSpareBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final NavigableMap<SpanSearch, Span> free = new TreeMap<>(SpanSearch.ORDER);

    /** The free spans that may have memory. */
    private final NavigableMap<SpanSearch, Span> gaps = new TreeMap<>(SpanSearch.ORDER);

    private long chunksEver;
    private long heldBytes;
    private long allowedBytes;
    private long touchedPages;
    private long spareBytes;

    /**
     * A heap without chunks.
     *
     * @param mostSpareBytes most bytes of chunks that are kept although nothing of them is taken
     */
    PageHeap(long mostSpareBytes) {
        this.mostSpareBytes = mostSpareBytes;
    }

    /** Allows for more memory: most bytes that a pool hands out at a time. */
    void allow(long bytes) {
        lock.lock();
        try {
            allowedBytes += bytes;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes pages in one piece, of undefined content, each of which begins where a page of the system does.
     *
     * @param pages 1 or more
     * @throws OutOfMemoryError if the system has no more
     */
    Span take(int pages) {
        if (pages < 1) {
            throw new IllegalArgumentException("pages: " + pages + " is less than 1");
        }
        List<Span> surplus;
        Span span;
        lock.lock();
        try {
            Map.Entry<SpanSearch, Span> shortest = free.ceilingEntry(SpanSearch.before(pages));
            span = shortest == null ? newChunk(pages) : shortest.getValue();
            remove(span);
            if (span.pages() > pages) {
                add(span.split(pages));
            }
            span.take();
            touchedPages += pages;
            surplus = surplus();
        } finally {
            lock.unlock();
        }
        surplus.forEach(this::giveMemoryBack);
        return span;
    }

    /** Takes gaps until the memory of all others is within bounds. */
    private List<Span> surplus() {
        List<Span> surplus = List.of();
        while (touchedPages * BlockMemory.PAGE_BYTES > allowedBytes + mostSpareBytes && !gaps.isEmpty()) {
            Span longest = gaps.lastEntry().getValue();
            remove(longest);
            longest.takeUntouched();
            if (surplus.isEmpty()) {
                surplus = new ArrayList<>();
            }
            surplus.add(longest);
        }
        return surplus;
    }

    private void giveMemoryBack(Span span) {
        MemoryAdvice.NOT_NEEDED.give(span.memory());
        putBack(span);
    }

    /** Gives pages back, once. */
    void giveBack(Span span) {
        putBack(span);
    }

    private void putBack(Span span) {
        MemoryChunk unused;
        lock.lock();
        try {
            span.giveBack();
            touchedPages -= span.touched();
            unused = addJoined(span);
        } finally {
            lock.unlock();
        }
        if (unused != null) {
            unused.release();
        }
    }

    private Span newChunk(int pages) {
        long bytes = (long) pages * BlockMemory.PAGE_BYTES;
        long whole = Math.max(CHUNK_BYTES, Math.ceilDiv(bytes, HugePages.BYTES) * HugePages.BYTES);
        Span all = new Span(new MemoryChunk(chunksEver, Math.toIntExact(whole)));
        chunksEver++;
        heldBytes += whole;
        add(all);
        return all;
    }

    /** Joins a free span and its free neighbours into one, and returns its chunk if that is to be given back. */
    private @Nullable MemoryChunk addJoined(Span span) {
        Span joined = span;
        Span next = joined.freeAfter();
        if (next != null) {
            remove(next);
            joined.join(next);
        }
        Span previous = joined.freeBefore();
        if (previous != null) {
            remove(previous);
            previous.join(joined);
            joined = previous;
        }
        MemoryChunk chunk = joined.chunk();
        if (joined.isWhole() && spareBytes + chunk.bytes() > mostSpareBytes) {
            heldBytes -= chunk.bytes();
            return chunk;
        }
        add(joined);
        return null;
    }

    private void add(Span span) {
        free.put(SpanSearch.of(span), span);
        touchedPages += span.touched();
        if (span.touched() > 0) {
            gaps.put(SpanSearch.of(span), span);
        }
        if (span.isWhole()) {
            spareBytes += span.chunk().bytes();
        }
    }

    private void remove(Span span) {
        free.remove(SpanSearch.of(span));
        gaps.remove(SpanSearch.of(span));
        touchedPages -= span.touched();
        if (span.isWhole()) {
            spareBytes -= span.chunk().bytes();
        }
    }

    /** Bytes for which the system may have given memory, at most. */
    long memoryBytes() {
        lock.lock();
        try {
            return touchedPages * BlockMemory.PAGE_BYTES;
        } finally {
            lock.unlock();
        }
    }

    /** Bytes of all chunks. */
    long heldBytes() {
        lock.lock();
        try {
            return heldBytes;
        } finally {
            lock.unlock();
        }
    }
}
