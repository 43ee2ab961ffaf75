package dev.kvstore.dataplane.memory;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A run of pages of a {@link MemoryChunk}, taken or free, and its neighbours there. Its memory belongs to its taker;
 * all else is for its {@link PageHeap}, under the heap's lock.
 */
final class Span {
    private final MemoryChunk chunk;
    private final int first;
    private int pages;
    private boolean free = true;

    /** Most pages of the span for which the system may have given memory. */
    private int touched;

    private @Nullable Span before;
    private @Nullable Span after;

    /** The span of a whole chunk. */
    Span(MemoryChunk chunk) {
        this(chunk, 0, chunk.pages());
    }

    private Span(MemoryChunk chunk, int first, int pages) {
        this.chunk = chunk;
        this.first = first;
        this.pages = pages;
    }

    /** The span's memory, as a view with a position of its own. */
    ByteBuffer memory() {
        return chunk.memory().slice(first * BlockMemory.PAGE_BYTES, pages * BlockMemory.PAGE_BYTES);
    }

    MemoryChunk chunk() {
        return chunk;
    }

    /** The page of the chunk at which the span begins. */
    int first() {
        return first;
    }

    int pages() {
        return pages;
    }

    /** Whether the span is the whole chunk. */
    boolean isWhole() {
        return before == null && after == null;
    }

    int touched() {
        return touched;
    }

    /** Takes the span, all of whose pages are about to be written to. */
    void take() {
        free = false;
        touched = pages;
    }

    /** Takes the span in order to give its memory back to the system. */
    void takeUntouched() {
        free = false;
        touched = 0;
    }

    void giveBack() {
        if (free) {
            throw new IllegalStateException("pages were given back already");
        }
        free = true;
    }

    /** The free span right before this one, or null. */
    @Nullable
    Span freeBefore() {
        return before != null && before.free ? before : null;
    }

    /** The free span right after this one, or null. */
    @Nullable
    Span freeAfter() {
        return after != null && after.free ? after : null;
    }

    /** Keeps the first {@code length} pages of the span, fewer than all, and returns the others as a free span. */
    Span split(int length) {
        Span rest = new Span(chunk, first + length, pages - length);
        rest.before = this;
        rest.after = after;
        rest.touched = Math.min(rest.pages, touched);
        if (after != null) {
            after.before = rest;
        }
        after = rest;
        pages = length;
        touched = Math.min(length, touched);
        return rest;
    }

    /** Takes in the span right after this one, which is no span any more. */
    void join(Span next) {
        pages += next.pages;
        touched += next.touched;
        after = next.after;
        if (after != null) {
            after.before = this;
        }
    }
}
