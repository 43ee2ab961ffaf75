package dev.kvstore.protocol.block;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * Bytes that may lie in several pieces, such as those of a transport. They are read in place, without a copy. A view:
 * immutable and thread-safe if the bytes below it are.
 */
final class HashBytes {
    private final ByteBuffer[] pieces;
    private final int[] starts;
    private final int size;

    /** Makes a view of pieces, each of which has a byte or more. */
    private HashBytes(List<ByteBuffer> views) {
        this.pieces = new ByteBuffer[views.size()];
        this.starts = new int[views.size()];
        int start = 0;
        for (int i = 0; i < pieces.length; i++) {
            // The slice begins at position 0: a view of a substring begins elsewhere, and may have another order of
            // bytes.
            pieces[i] = views.get(i).asReadOnlyBuffer().slice();
            starts[i] = start;
            start += pieces[i].capacity();
        }
        this.size = start;
    }

    /** A view of the remaining bytes of these buffers, one after the other. */
    static HashBytes of(List<ByteBuffer> pieces) {
        return new HashBytes(pieces.stream().filter(ByteBuffer::hasRemaining).toList());
    }

    /** A view of a buffer's remaining bytes. */
    static HashBytes of(ByteBuffer bytes) {
        return new HashBytes(List.of(bytes.asReadOnlyBuffer()));
    }

    int size() {
        return size;
    }

    /** Reads eight bytes from {@code at} on, big-endian. */
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

    /**
     * The index of the piece that has a byte. A binary search finds it, since the sender decides how many pieces there
     * are.
     */
    private int piece(int at) {
        int found = Arrays.binarySearch(starts, at);
        return found >= 0 ? found : -found - 2;
    }

    /** A copy of the bytes from {@code from} up to {@code end}. */
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
