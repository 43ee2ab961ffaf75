package dev.kvstore.protocol.wire;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decides which stream sends next on a connection: the one that came first, until its message is sent whole. If streams
 * sent pieces in turn, a hundred blocks would be under way at once, all in memory, and none would be in the processor's
 * cache any more when its last byte is sent. Short messages do not wait for long ones: they take every second turn. One
 * thread uses it.
 *
 * <p>After {@link #next} the caller sends something of that sender, or nothing, and calls {@link #more} if the sender
 * could send more. A sender can be added once.
 *
 * @param <S> a sender
 */
public final class SendTurns<S> {
    /** The most bytes of a short sender. */
    static final int BRIEF_BYTES = 64 * 1024;

    /**
     * The bytes after which a sender's turn ends. Most blocks are shorter, and an endless message must not keep all
     * others waiting.
     */
    static final int TURN_BYTES = 2 * 1024 * 1024;

    private final ToLongFunction<S> waiting;
    private final Deque<S> brief = new ArrayDeque<>();
    private final Deque<S> lengthy = new ArrayDeque<>();
    private boolean wasBrief;
    private boolean goesOn;
    private long sent;

    /** @param waiting returns the number of bytes that a sender has to send now, 0 or more */
    public SendTurns(ToLongFunction<S> waiting) {
        this.waiting = waiting;
    }

    /** Adds a sender that has something to send and is not waiting yet. */
    public void add(S sender) {
        (isBrief(sender) ? brief : lengthy).addLast(sender);
    }

    private boolean isBrief(S sender) {
        return waiting.applyAsLong(sender) <= BRIEF_BYTES;
    }

    /** Takes the sender that sends now; null if there is none. */
    public @Nullable S next() {
        // Senders may have more bytes by now.
        for (S first = brief.peekFirst(); first != null && !isBrief(first); first = brief.peekFirst()) {
            lengthy.addLast(brief.removeFirst());
        }
        wasBrief = !brief.isEmpty() && (lengthy.isEmpty() || !wasBrief);
        if (wasBrief) {
            return brief.pollFirst();
        }
        sent = goesOn ? sent : 0;
        goesOn = false;
        return lengthy.pollFirst();
    }

    /**
     * Notes that the last sender has sent something, and could send more.
     *
     * @param bytes the bytes that it sent
     */
    public void more(S sender, long bytes) {
        if (wasBrief) {
            add(sender);
            return;
        }
        sent += bytes;
        if (sent >= TURN_BYTES) {
            add(sender);
        } else {
            goesOn = true;
            lengthy.addFirst(sender);
        }
    }

    /** Notes that the last sender could not send, so that it is next again. */
    public void putBack(S sender) {
        if (wasBrief) {
            wasBrief = false;
            brief.addFirst(sender);
        } else {
            goesOn = true;
            lengthy.addFirst(sender);
        }
    }

    /** Forgets a sender; does nothing if it is unknown. Takes time in proportion to the number of senders. */
    public void remove(S sender) {
        if (!brief.remove(sender)) {
            goesOn &= !sender.equals(lengthy.peekFirst());
            lengthy.remove(sender);
        }
    }
}
