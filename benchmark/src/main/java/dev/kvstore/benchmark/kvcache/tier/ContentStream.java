package dev.kvstore.benchmark.kvcache.tier;

import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * The bytes of an entry as they are asked for; can go back to any mark, since nothing is kept. For one thread at a
 * time.
 */
final class ContentStream extends InputStream {
    private final NoiseContent content;
    private final EntryBytes blob;
    private final byte[] page = new byte[NoiseContent.PAGE_BYTES];
    private long made = -1;
    private long at;
    private long mark;
    private final LongAdder makingNanos = new LongAdder();

    ContentStream(NoiseContent content, EntryBytes blob) {
        this.content = content;
        this.blob = blob;
    }

    /** How long making the bytes took so far. */
    long makingNanos() {
        return makingNanos.sum();
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
        int read = 0;
        while (read < length && at < blob.bytes()) {
            long number = at / NoiseContent.PAGE_BYTES;
            int within = (int) (at % NoiseContent.PAGE_BYTES);
            int inPage = (int) Math.min(NoiseContent.PAGE_BYTES, blob.bytes() - number * NoiseContent.PAGE_BYTES);
            make(number, inPage);
            int part = Math.min(length - read, inPage - within);
            System.arraycopy(page, within, into, from + read, part);
            read += part;
            at += part;
        }
        makingNanos.add(System.nanoTime() - start);
        return read;
    }

    private void make(long number, int bytes) {
        if (made != number) {
            content.fill(
                    blob,
                    number * NoiseContent.PAGE_BYTES,
                    MemorySegment.ofArray(page).asSlice(0, bytes));
            made = number;
        }
    }

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
