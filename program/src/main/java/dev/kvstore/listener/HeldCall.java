package dev.kvstore.listener;

import io.grpc.ServerCall;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps events of a call that has not been started yet, and passes them on once the call has a listener. No message is
 * requested before that, so none has to be kept. Thread-safe; the transport never waits.
 */
public final class HeldCall<Q> extends ServerCall.Listener<Q> {
    private final ReentrantLock lock = new ReentrantLock();
    private List<Consumer<ServerCall.Listener<Q>>> unsaid = new ArrayList<>(2);
    private volatile ServerCall.@Nullable Listener<Q> listener;
    private boolean over;

    /** Makes a call that has not been started. */
    public HeldCall() {}

    /** Starts the call, unless it is over. */
    public void start(Supplier<ServerCall.Listener<Q>> start) {
        if (isOver()) {
            return;
        }
        ServerCall.Listener<Q> started = start.get();
        while (true) {
            List<Consumer<ServerCall.Listener<Q>>> next;
            lock.lock();
            try {
                if (unsaid.isEmpty()) {
                    listener = started;
                    return;
                }
                next = unsaid;
                unsaid = new ArrayList<>(2);
            } finally {
                lock.unlock();
            }
            next.forEach(event -> event.accept(started));
        }
    }

    /** Whether the call is over, so that it needs no answer. */
    boolean isOver() {
        lock.lock();
        try {
            return over;
        } finally {
            lock.unlock();
        }
    }

    private void say(Consumer<ServerCall.Listener<Q>> event, boolean last) {
        ServerCall.Listener<Q> started = listener;
        if (started == null) {
            lock.lock();
            try {
                started = listener;
                if (started == null) {
                    over |= last;
                    unsaid.add(event);
                    return;
                }
            } finally {
                lock.unlock();
            }
        }
        event.accept(started);
    }

    @Override
    public void onMessage(Q message) {
        say(to -> to.onMessage(message), false);
    }

    @Override
    public void onHalfClose() {
        say(ServerCall.Listener::onHalfClose, false);
    }

    @Override
    public void onCancel() {
        say(ServerCall.Listener::onCancel, true);
    }

    @Override
    public void onComplete() {
        say(ServerCall.Listener::onComplete, true);
    }

    @Override
    public void onReady() {
        say(ServerCall.Listener::onReady, false);
    }
}
