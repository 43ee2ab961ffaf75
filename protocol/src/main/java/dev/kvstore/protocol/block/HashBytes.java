package dev.kvstore.protocol.block;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Bytes that may lie in pieces, as a transport left them: they are read where they are, not moved. A view: immutable
 * and thread-safe if the bytes below it are.
 */
final class HashBytes {
    private final ByteBuffer[] pieces;
    private final int[] starts;
    private final int size;

    /** The hashes in some pieces, each of which has a byte or more. */
    private HashBytes(List<ByteBuffer> views) {
        this.pieces = new ByteBuffer[views.size()];
        this.starts = new int[views.size()];
        int start = 0;
        for (int i = 0; i < pieces.length; i++) {
            // A slice: a view of a substring begins at its position, not at 0, and may have another order of bytes.
            pieces[i] = views.get(i).asReadOnlyBuffer().slice();
            starts[i] = start;
            start += pieces[i].capacity();
        }
        this.size = start;
    }

    /** A view of the bytes that remain in these buffers, one after the other. */
    static HashBytes of(List<ByteBuffer> pieces) {
        return new HashBytes(pieces.stream().filter(ByteBuffer::hasRemaining).toList());
    }

    /** A view of the bytes that remain. */
    static HashBytes of(ByteBuffer bytes) {
        return new HashBytes(List.of(bytes.asReadOnlyBuffer()));
    }

    int size() {
        return size;
    }

    /** Eight bytes from {@code at} on, big-endian. */
    long getLong(int at) {
        int piece = piece(at);
        int within = at - starts[piece];
        if (within + Long.BYTES <= pieces[piece].capacity()) {
            return pieces[piece].getLong(within);
        }
        long value = 0;
        for (int i = at; i < at + Long.BYTES; i++) {
            value = (value << Byte.SIZE) | (getByte(i) & 0xFF);
        }
        return value;
    }

    private byte getByte(int at) {
        int piece = piece(at);
        return pieces[piece].get(at - starts[piece]);
    }

    /** The piece that has a byte. The sender decides how many pieces there are. */
    private int piece(int at) {
        int found = Arrays.binarySearch(starts, at);
        return found >= 0 ? found : -found - 2;
    }

    /** The bytes from {@code from} up to {@code end}, moved together. */
    ByteBuffer copy(int from, int end) {
        ByteBuffer copy = ByteBuffer.allocate(end - from);
        for (int i = 0; i < pieces.length; i++) {
            int first = Math.max(from, starts[i]) - starts[i];
            int last = Math.min(end - starts[i], pieces[i].capacity());
            if (first < last) {
                copy.put(pieces[i].slice(first, last - first));
            }
        }
        return copy.flip();
    }
}
