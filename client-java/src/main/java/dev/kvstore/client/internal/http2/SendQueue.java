package dev.kvstore.client.internal.http2;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a call has to send, within the windows of its peer. Only its event loop uses it, except {@link
 * #isReady} and {@link #announce}.
 */
final class SendQueue {
    /** The bytes under way below which a call may get more: two parts of a stream. */
    private static final long READY_BYTES = 256 * 1024;

    private final Deque<ByteBuf> pieces = new ArrayDeque<>();
    private final List<LentBytes> lent = new ArrayList<>();
    private final AtomicLong queued = new AtomicLong();
    private long window;
    private boolean ended;
    private boolean endTaken;
    private boolean readyAgain;

    /** Whether there is room for more bytes. */
    boolean isReady() {
        return queued.get() < READY_BYTES;
    }

    /** Counts bytes that are on their way to this queue. */
    void announce(long bytes) {
        queued.addAndGet(bytes);
    }

    /** The number of bytes on their way. */
    long bytes() {
        return queued.get();
    }

    void add(List<ByteBuf> message) {
        for (ByteBuf piece : message) {
            pieces.add(piece);
            if (piece instanceof LentBytes bytes) {
                lent.add(bytes);
            }
        }
    }

    /** Notes that no more bytes come. */
    void end() {
        ended = true;
    }

    void widen(long bytes) {
        window += bytes;
    }

    long window() {
        return window;
    }

    /** Whether something can be sent, if only the end of the stream. */
    boolean hasNext() {
        return pieces.isEmpty() ? hasOnlyEnd() : window > 0;
    }

    /** Whether only the end of the stream is left to send. */
    boolean hasOnlyEnd() {
        return ended && pieces.isEmpty() && !endTaken;
    }

    boolean isEmpty() {
        return pieces.isEmpty();
    }

    /**
     * Takes the next piece, whose reference passes to the caller; null if only the end is left.
     *
     * @param most bytes of the piece, 1 or more
     */
    @Nullable
    ByteBuf next(int most) {
        ByteBuf piece = pieces.peek();
        if (piece == null) {
            return null;
        }
        int bytes = (int) Math.min(Math.min(most, window), piece.readableBytes());
        window -= bytes;
        long before = queued.getAndAdd(-bytes);
        readyAgain |= before >= READY_BYTES && before - bytes < READY_BYTES;
        if (bytes < piece.readableBytes()) {
            return piece.readRetainedSlice(bytes);
        }
        pieces.remove();
        return piece;
    }

    /**
     * Whether there is room now, and was none when this was last asked, so that a sender that saw no room must be told.
     */
    boolean isReadyAgain() {
        boolean again = readyAgain;
        readyAgain = false;
        return again;
    }

    /** Notes that the peer was told of the end. */
    void endTaken() {
        endTaken = true;
    }

    boolean isEndTaken() {
        return endTaken;
    }

    /**
     * Sends no more of the message, except for bytes that the socket has taken; lent memory belongs to the application
     * again.
     */
    void clear() {
        pieces.forEach(ByteBuf::release);
        pieces.clear();
        lent.forEach(LentBytes::giveBack);
        lent.clear();
        ended = true;
        endTaken = true;
    }
}
