package dev.kvstore.client.internal.http2;

import io.grpc.Status;
import io.grpc.StatusException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes messages of the bytes of a stream. A message has a byte for its compression, four bytes for its length, and its
 * content. The bytes stay as they are until their message is taken, so that the peer's flow control bounds this memory,
 * however small the messages are. One thread uses it.
 */
final class Deframer {
    /** The number of bytes before each message. */
    static final int PREFIX_BYTES = 5;

    /**
     * The longest message that is copied, so that a kept message does not keep a run of {@link ReadBuffers}, which is
     * 16 times as long.
     */
    static final int COPIED_BYTES = 16 * 1024;

    /** The most memory that waiting bytes may keep, as a multiple of their number. */
    private static final int MOST_WASTE = 16;

    private final int mostBytes;
    private final ByteBufAllocator allocator;
    private final Deque<ByteBuf> pieces = new ArrayDeque<>();
    private boolean gathering;
    private int arrived;
    private int prefixRead;
    private int length;

    /**
     * Makes one for a new stream.
     *
     * @param mostBytes longest message
     * @param allocator of direct memory, for copied pieces
     */
    Deframer(int mostBytes, ByteBufAllocator allocator) {
        this.mostBytes = mostBytes;
        this.allocator = allocator;
    }

    /** Adds a piece of 1 byte or more, and takes over its reference. */
    void add(ByteBuf piece) {
        arrived += piece.readableBytes();
        pieces.add(piece);
    }

    /**
     * Notes that the last piece, or its rest, will wait: a small piece that holds much memory is gathered with others.
     */
    void settle() {
        ByteBuf last = pieces.peekLast();
        boolean little = last != null && (long) last.readableBytes() * MOST_WASTE < memoryBytes(last);
        if (last != null && little) {
            gather(last);
        }
        gathering = little;
    }

    /** Copies the last piece into the one before, if that has room, or into one of its own. */
    private void gather(ByteBuf last) {
        pieces.removeLast();
        ByteBuf room = gathering ? pieces.peekLast() : null;
        try {
            if (room == null || room.writableBytes() < last.readableBytes()) {
                room = allocator.directBuffer(Math.max(COPIED_BYTES, last.readableBytes()));
                pieces.add(room);
            }
            room.writeBytes(last);
        } finally {
            last.release();
        }
    }

    /** The bytes of memory that a view keeps. */
    private static int memoryBytes(ByteBuf view) {
        ByteBuf whole = view;
        for (ByteBuf larger = whole.unwrap(); larger != null; larger = whole.unwrap()) {
            whole = larger;
        }
        return whole.capacity();
    }

    /**
     * Whether the next message is whole.
     *
     * @throws StatusException if the message is compressed or too long
     */
    boolean isReady() throws StatusException {
        while (prefixRead < PREFIX_BYTES && arrived > 0) {
            ByteBuf first = pieces.element();
            prefix(first.readUnsignedByte());
            arrived--;
            dropIfRead(first);
        }
        return prefixRead == PREFIX_BYTES && arrived >= length;
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
        if (++prefixRead == PREFIX_BYTES && (length < 0 || length > mostBytes)) {
            throw Status.RESOURCE_EXHAUSTED
                    .withDescription("the server sent a message of " + Integer.toUnsignedString(length) + " bytes; "
                            + mostBytes + " is the most")
                    .asException();
        }
    }

    /**
     * Takes the next whole message; null if there is none.
     *
     * @throws StatusException if the message is compressed or too long
     */
    @Nullable
    MessageBytes poll() throws StatusException {
        if (!isReady()) {
            return null;
        }
        List<ByteBuf> message = length > COPIED_BYTES ? views() : copy();
        arrived -= length;
        prefixRead = 0;
        return new MessageBytes(message, length);
    }

    private List<ByteBuf> views() {
        List<ByteBuf> views = new ArrayList<>();
        for (int left = length; left > 0; ) {
            ByteBuf first = pieces.element();
            if (first.readableBytes() > left) {
                views.add(first.readRetainedSlice(left));
                break;
            }
            left -= first.readableBytes();
            views.add(pieces.remove());
        }
        return views;
    }

    private List<ByteBuf> copy() {
        if (length == 0) {
            return List.of();
        }
        ByteBuf copy = allocator.directBuffer(length, length);
        while (copy.isWritable()) {
            ByteBuf first = pieces.element();
            first.readBytes(copy, Math.min(first.readableBytes(), copy.writableBytes()));
            dropIfRead(first);
        }
        return List.of(copy);
    }

    private void dropIfRead(ByteBuf first) {
        if (!first.isReadable()) {
            pieces.remove();
            first.release();
        }
    }

    /** Whether a message has begun. If none is ready, the begun message is not whole. */
    boolean isInside() {
        return prefixRead > 0 || arrived > 0;
    }

    /** Releases all pieces. */
    void clear() {
        pieces.forEach(ByteBuf::release);
        pieces.clear();
        arrived = 0;
        prefixRead = 0;
    }
}
