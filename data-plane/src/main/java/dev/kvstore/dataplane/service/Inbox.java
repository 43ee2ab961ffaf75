package dev.kvstore.dataplane.service;

import com.google.protobuf.MessageLite;
import dev.kvstore.protocol.wire.Received;
import io.grpc.ServerCall;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What arrives for one call, for the one virtual thread that serves it. The transport puts in and never waits; at most
 * {@link #CREDIT} messages lie here, since more are asked for only as they are taken.
 */
final class Inbox<Q extends MessageLite> extends ServerCall.Listener<Received<Q>> {
    /** Enough that the next message is here when the last one is done with. */
    private static final int CREDIT = 2;

    private final ServerCall<Received<Q>, ?> call;
    private final InboundMeter.@Nullable Gauge gauge;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Received<Q>> messages = new ArrayDeque<>(CREDIT);
    private final List<Runnable> whenClosed = new ArrayList<>(1);
    private boolean signalled;
    private boolean halfClosed;
    private boolean closed;
    private boolean cancelled;
    private boolean overLimit;

    Inbox(ServerCall<Received<Q>, ?> call, InboundMeter.@Nullable Gauge gauge) {
        this.call = call;
        this.gauge = gauge;
        if (gauge != null) {
            gauge.whenOver(() -> change(() -> overLimit = true));
            gauge.whenArriving(this::wake);
        }
        call.request(CREDIT);
    }

    @Override
    public void onMessage(Received<Q> message) {
        if (gauge != null) {
            gauge.delivered(message);
        }
        boolean[] late = {false};
        change(() -> {
            late[0] = closed;
            if (!closed) {
                messages.addLast(message);
            }
        });
        if (late[0]) {
            done(message);
        }
    }

    @Override
    public void onHalfClose() {
        change(() -> halfClosed = true);
    }

    @Override
    public void onReady() {
        change(() -> {});
    }

    @Override
    public void onCancel() {
        change(() -> cancelled = true);
        close();
    }

    @Override
    public void onComplete() {
        close();
    }

    private void close() {
        List<Received<Q>> left = new ArrayList<>();
        List<Runnable> hooks = new ArrayList<>();
        change(() -> {
            closed = true;
            left.addAll(messages);
            messages.clear();
            hooks.addAll(whenClosed);
            whenClosed.clear();
        });
        left.forEach(this::done);
        hooks.forEach(Runnable::run);
    }

    /** Runs an action when the transport is done with this call, at once if it is already. */
    void whenClosed(Runnable action) {
        boolean[] now = {false};
        change(() -> {
            now[0] = closed;
            if (!closed) {
                whenClosed.add(action);
            }
        });
        if (now[0]) {
            action.run();
        }
    }

    /** Wakes the serving thread. */
    void wake() {
        change(() -> {});
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            signalled = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The next message, which the taker gives back by {@link #done}; null if none has arrived. */
    @Nullable
    Received<Q> poll() {
        lock.lock();
        try {
            Received<Q> message = messages.pollFirst();
            if (message != null) {
                call.request(1);
            }
            return message;
        } finally {
            lock.unlock();
        }
    }

    /** Gives back a message's network memory. */
    void done(Received<Q> message) {
        message.close();
        if (gauge != null) {
            gauge.done(message);
        }
    }

    /** Waits until anything has happened since the last wait; false if nothing did for that long. */
    boolean await(Duration patience) throws InterruptedException {
        lock.lock();
        try {
            boolean happened = awaitUntil(() -> signalled, patience);
            signalled = false;
            return happened;
        } finally {
            lock.unlock();
        }
    }

    /** How much longer a message may take to arrive that has begun to; null if none has. */
    @Nullable
    Duration arrivingWithin(Duration limit) {
        long arriving = gauge == null ? 0 : gauge.arrivingNanos();
        return arriving == 0 ? null : limit.minusNanos(arriving);
    }

    /** Waits until the transport takes more; false if it did not for that long. */
    boolean awaitReady(Duration patience) throws InterruptedException {
        return awaitUntil(() -> call.isReady() || closed, patience);
    }

    /** Waits until the transport is done with the call; false if it was not for that long. */
    boolean awaitClosed(Duration patience) throws InterruptedException {
        return awaitUntil(() -> closed, patience);
    }

    private boolean awaitUntil(BooleanSupplier condition, Duration patience) throws InterruptedException {
        long nanos = patience.toNanos();
        lock.lock();
        try {
            while (!condition.getAsBoolean()) {
                if (nanos <= 0) {
                    return false;
                }
                nanos = changed.awaitNanos(nanos);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** The one message of a unary call is here, and nothing follows. */
    boolean hasRequest() {
        lock.lock();
        try {
            return halfClosed && !messages.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** The client has sent all it will. */
    boolean isHalfClosed() {
        lock.lock();
        try {
            return halfClosed && messages.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Nobody waits for an answer any more. */
    boolean isCancelled() {
        lock.lock();
        try {
            return cancelled;
        } finally {
            lock.unlock();
        }
    }

    /** Taking in more of this call would exceed the process's limit. */
    boolean isOverLimit() {
        lock.lock();
        try {
            return overLimit;
        } finally {
            lock.unlock();
        }
    }
}
