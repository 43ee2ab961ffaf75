package dev.kvstore.client.internal.http2;

import io.grpc.Status;
import io.grpc.StatusException;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Makes messages of what arrives on a stream: a byte that says whether they are compressed, a length of four, the message.
 * The peer's flow control bounds what lies here. For one thread.
 */
final class Deframer {
    /** What goes before each message. */
    static final int PREFIX_BYTES = 5;

    private final int mostBytes;
    private final Queue<MessageBytes> whole = new ArrayDeque<>();
    private List<ByteBuf> pieces = new ArrayList<>();
    private int prefixRead;
    private int length;
    private int missing;

    /** @param mostBytes longest message */
    Deframer(int mostBytes) {
        this.mostBytes = mostBytes;
    }

    /**
     * Takes a piece and its reference.
     *
     * @throws StatusException if a message is compressed or too long
     */
    void add(ByteBuf piece) throws StatusException {
        try {
            while (piece.isReadable()) {
                if (prefixRead < PREFIX_BYTES) {
                    prefix(piece.readUnsignedByte());
                } else {
                    int here = Math.min(missing, piece.readableBytes());
                    pieces.add(piece.readRetainedSlice(here));
                    missing -= here;
                }
                if (prefixRead == PREFIX_BYTES && missing == 0) {
                    whole.add(new MessageBytes(pieces, length));
                    pieces = new ArrayList<>();
                    prefixRead = 0;
                }
            }
        } finally {
            piece.release();
        }
    }

    private void prefix(int octet) throws StatusException {
        if (prefixRead == 0) {
            if (octet != 0) {
                throw Status.INTERNAL
                        .withDescription("the server sent a compressed message, which was not asked for")
                        .asException();
            }
            length = 0;
        } else {
            length = length << 8 | octet;
        }
        if (++prefixRead == PREFIX_BYTES) {
            if (length < 0 || length > mostBytes) {
                throw Status.RESOURCE_EXHAUSTED
                        .withDescription("the server sent a message of " + Integer.toUnsignedString(length) + " bytes; "
                                + mostBytes + " is the most")
                        .asException();
            }
            missing = length;
        }
    }

    /** The next whole message, or null. */
    @Nullable
    MessageBytes poll() {
        return whole.poll();
    }

    /** Whether a message is whole. */
    boolean isReady() {
        return !whole.isEmpty();
    }

    /** Whether a message has begun and is not whole. */
    boolean isInside() {
        return prefixRead > 0;
    }

    /** Gives everything back. */
    void clear() {
        whole.forEach(MessageBytes::close);
        whole.clear();
        pieces.forEach(ByteBuf::release);
        pieces = new ArrayList<>();
        prefixRead = 0;
    }
}
