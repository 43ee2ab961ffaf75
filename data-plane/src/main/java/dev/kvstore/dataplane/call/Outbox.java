package dev.kvstore.dataplane.call;

import com.google.protobuf.MessageLite;
import dev.kvstore.dataplane.wire.ZeroCopyMessage;
import io.grpc.ServerCall;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Messages of one call that wait for the transport, since the client reads at its own pace. The thread that serves the
 * call puts them here; the transport's thread sends them when it is ready. The serving thread is woken when half of
 * them are sent and not for each one, because waking a thread costs as much as sending a part.
 *
 * <p>One thread puts and waits; any may {@link #send}.
 */
public final class Outbox<M extends MessageLite> {
    private static final long NOTHING = -1;

    private final ServerCall<?, ZeroCopyMessage<M>> call;
    private final CallInput<?> input;
    private final long roomBytes;
    private final Duration patience;
    private final StalledClientReset reset;
    private final Queue<ZeroCopyMessage<M>> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicLong waitingBytes = new AtomicLong();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicInteger senders = new AtomicInteger();
    private volatile long wanted = NOTHING;
    private volatile boolean over;
    private volatile @Nullable Throwable failure;

    /**
     * An empty outbox.
     *
     * @param roomBytes bytes that may wait here before {@link #put} waits too; 0 lets one message wait
     * @param patience how long the client may read nothing before its stream is reset
     */
    public Outbox(
            ServerCall<?, ZeroCopyMessage<M>> call,
            CallInput<?> input,
            long roomBytes,
            Duration patience,
            StalledClientReset reset) {
        this.call = call;
        this.input = input;
        this.roomBytes = roomBytes;
        this.patience = patience;
        this.reset = reset;
        input.whenReady(this::send);
        input.whenClosed(this::discard);
    }

    /**
     * Puts a message, whose reference passes to this, and waits until there is room for another. False if the client
     * has left or its stream was reset.
     */
    public boolean put(ZeroCopyMessage<M> message) throws InterruptedException {
        waitingBytes.addAndGet(message.length());
        waiting.add(message);
        send();
        return waitingBytes.get() <= roomBytes || await(roomBytes / 2);
    }

    /** Waits until everything was handed to the transport. False when the client has left or was cut off. */
    public boolean drain() throws InterruptedException {
        return await(0);
    }

    private boolean await(long mostBytes) throws InterruptedException {
        wanted = mostBytes;
        try {
            return awaitAtMost(mostBytes);
        } finally {
            wanted = NOTHING;
        }
    }

    private boolean awaitAtMost(long mostBytes) throws InterruptedException {
        while (true) {
            long before = sent.get();
            boolean happened =
                    input.awaitTaken(() -> waitingBytes.get() <= mostBytes || over || failure != null, patience);
            Throwable broken = failure;
            if (broken != null) {
                throw new IllegalStateException("a message could not be sent", broken);
            }
            if (over || input.isCancelled()) {
                return false;
            }
            if (waitingBytes.get() <= mostBytes) {
                return true;
            }
            if (happened || sent.get() == before) {
                // Others need to wait, or the client took nothing.
                reset.cancel(patience);
                return false;
            }
        }
    }

    /**
     * Hands messages to the transport while it is ready. Never waits: if another thread is sending, that one goes on.
     */
    void send() {
        if (senders.getAndIncrement() > 0) {
            return;
        }
        int seen = 1;
        do {
            sendReady();
            seen = senders.addAndGet(-seen);
        } while (seen > 0);
    }

    @SuppressWarnings("CatchingUnchecked") // the thread that serves the call tells
    private void sendReady() {
        while (over || call.isReady()) {
            ZeroCopyMessage<M> next = waiting.poll();
            if (next == null) {
                break;
            }
            int length = next.length();
            try {
                if (!over) {
                    call.sendMessage(next);
                    sent.incrementAndGet();
                }
            } catch (RuntimeException | Error e) {
                failure = e;
                over = true;
            } finally {
                next.release();
                if (waitingBytes.addAndGet(-length) <= wanted || over) {
                    input.wake();
                }
            }
        }
    }

    /** Gives back the messages that will not be sent. */
    private void discard() {
        over = true;
        send();
    }
}
