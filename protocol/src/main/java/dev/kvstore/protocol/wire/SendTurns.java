package dev.kvstore.protocol.wire;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Who sends next on a connection: whoever came first, until its message is out. Were a piece of each sent in turn, a hundred
 * blocks would be under way at once, all in memory and none of them in the processor's cache any more when its last byte comes.
 * What is brief does not wait for that: it takes every other turn. For one thread.
 *
 * <p>After {@link #next} the caller sends something of that sender, or not, and calls {@link #more} if it could send more. A sender
 * may be here once.
 *
 * @param <S> what sends
 */
public final class SendTurns<S> {
    /** Who has that much or less to send is brief, in bytes. */
    static final int BRIEF_BYTES = 64 * 1024;

    /**
     * Who has sent that much in one turn gives way to others, in bytes: a block is mostly shorter, and who never ends must not
     * keep all waiting.
     */
    static final int TURN_BYTES = 2 * 1024 * 1024;

    private final ToLongFunction<S> waiting;
    private final Deque<S> brief = new ArrayDeque<>();
    private final Deque<S> lengthy = new ArrayDeque<>();
    private boolean wasBrief;
    private boolean goesOn;
    private long sent;

    /** @param waiting bytes that a sender has to send now, 0 or more */
    public SendTurns(ToLongFunction<S> waiting) {
        this.waiting = waiting;
    }

    /** A sender that is not here may send. */
    public void add(S sender) {
        (isBrief(sender) ? brief : lengthy).addLast(sender);
    }

    private boolean isBrief(S sender) {
        return waiting.applyAsLong(sender) <= BRIEF_BYTES;
    }

    /** Takes who is to send now; null if nobody is here. */
    public @Nullable S next() {
        // More may have come since.
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
     * Who was next has sent something, and could send more.
     *
     * @param bytes that it sent
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

    /** Who was next could not send, and is next again. */
    public void putBack(S sender) {
        if (wasBrief) {
            wasBrief = false;
            brief.addFirst(sender);
        } else {
            goesOn = true;
            lengthy.addFirst(sender);
        }
    }

    /** Forgets a sender; does nothing if it is not here. Takes time in proportion to how many are. */
    public void remove(S sender) {
        if (!brief.remove(sender)) {
            goesOn &= !sender.equals(lengthy.peekFirst());
            lengthy.remove(sender);
        }
    }
}
