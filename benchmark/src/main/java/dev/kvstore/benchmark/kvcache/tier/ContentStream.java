package dev.kvstore.benchmark.kvcache.tier;

import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * The bytes of an entry as they are asked for; can go back to any mark, since nothing is kept. For one thread at a
 * time.
 */
final class ContentStream extends InputStream {
    private static final int PAGE = NoiseContent.PAGE_BYTES;

    private final NoiseContent content;
    private final EntryBytes blob;
    private final byte[] page = new byte[PAGE];
    private long made = -1;
    private long at;
    private long mark;
    private volatile long makingNanos;

    ContentStream(NoiseContent content, EntryBytes blob) {
        this.content = content;
        this.blob = blob;
    }

    /** How long making the bytes took so far. */
    long makingNanos() {
        return makingNanos;
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) {
        Objects.checkFromIndexSize(from, length, into.length);
        if (at >= blob.bytes()) {
            return length == 0 ? 0 : -1;
        }
        long start = System.nanoTime();
        long number = at / PAGE;
        int within = (int) (at % PAGE);
        int inPage = (int) Math.min(PAGE, blob.bytes() - number * PAGE);
        if (made != number) {
            content.fill(blob, number * PAGE, MemorySegment.ofArray(page).asSlice(0, inPage));
            made = number;
        }
        int read = Math.min(length, inPage - within);
        System.arraycopy(page, within, into, from, read);
        at += read;
        makingNanos = makingNanos + System.nanoTime() - start;
        return read;
    }

    /** How much of the entry is left: Azure's SDK asks, and reads on without end where nobody says. */
    @Override
    public int available() {
        return (int) Math.min(Integer.MAX_VALUE, blob.bytes() - at);
    }

    @Override
    public boolean markSupported() {
        return true;
    }

    @Override
    public void mark(int limit) {
        mark = at;
    }

    @Override
    public void reset() {
        at = mark;
    }
}
