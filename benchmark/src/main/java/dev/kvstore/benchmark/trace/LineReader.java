package dev.kvstore.benchmark.trace;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Lines of a file of any size, one at a time, in bounded memory. For one thread. */
final class LineReader implements Closeable {
    /** A prompt of 50 million tokens fits; what is longer is another kind of file. */
    static final int MOST_BYTES = 1 << 20;

    private static final int READ_BYTES = 64 << 10;

    private final InputStream in;
    private final byte[] read = new byte[READ_BYTES];
    private int next;
    private int end;
    private byte[] line = new byte[4 << 10];
    private int length;
    private boolean tooLong;
    private long number;

    /** @param in closed with this */
    LineReader(InputStream in) {
        this.in = in;
    }

    /** Goes to the next line; false if there is none. */
    boolean next() throws IOException {
        length = 0;
        tooLong = false;
        if (next == end && !fill()) {
            return false;
        }
        number++;
        do {
            int from = next;
            while (next < end && read[next] != '\n') {
                next++;
            }
            append(from, next - from);
            if (next < end) {
                next++;
                return true;
            }
        } while (fill());
        return true;
    }

    private boolean fill() throws IOException {
        next = 0;
        end = Math.max(0, in.read(read));
        return end > 0;
    }

    private void append(int from, int count) {
        if (length + count > MOST_BYTES) {
            tooLong = true;
            return;
        }
        if (length + count > line.length) {
            line = Arrays.copyOf(line, Math.max(length + count, 2 * line.length));
        }
        System.arraycopy(read, from, line, length, count);
        length += count;
    }

    /** The number of this line, from 1. */
    long number() {
        return number;
    }

    /** The line's bytes from 0 to {@link #length}; the next line overwrites them. */
    byte[] bytes() {
        return line;
    }

    int length() {
        return length;
    }

    /** Whether it is longer than {@value #MOST_BYTES} bytes, and so not here as a whole. */
    boolean isTooLong() {
        return tooLong;
    }

    /** Whether there is nothing on it. */
    boolean isBlank() {
        for (int i = 0; i < length; i++) {
            if (line[i] > ' ' || line[i] < 0) {
                return false;
            }
        }
        return !tooLong;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
