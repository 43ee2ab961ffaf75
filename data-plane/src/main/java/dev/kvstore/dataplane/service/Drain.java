package dev.kvstore.dataplane.service;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Whether calls are to go elsewhere. A process that is drained says so first, and takes what comes for a time of grace,
 * since not everybody has heard; then it refuses what is new and finishes what it has. Thread-safe; never waits.
 */
public final class Drain implements ServerInterceptor {
    /** Who wants it; it is drained while anybody does. */
    public enum Wish {
        /** The control plane. */
        INSTRUCTED,
        /** Somebody on this machine. */
        ASKED,
        /** The process is stopping, which is never taken back. */
        STOPPING
    }

    private final Duration grace;
    private final Ticker ticker;
    private final ReentrantLock lock = new ReentrantLock();
    private final CopyOnWriteArrayList<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Set<Wish> wishes = Set.of();
    private volatile long since;

    /**
     * Nobody wants it.
     *
     * @param grace for those who have not heard, 0 or more
     */
    public Drain(Duration grace, Ticker ticker) {
        this.grace = grace;
        this.ticker = ticker;
    }

    /** Runs an action, which must not wait, after each change of who wants it. */
    public void whenChanged(Runnable action) {
        listeners.add(action);
    }

    /** Has somebody want it, or not any more. */
    public void wish(Wish whose, boolean drained) {
        lock.lock();
        try {
            Set<Wish> next = EnumSet.noneOf(Wish.class);
            next.addAll(wishes);
            if (!(drained ? next.add(whose) : next.remove(whose))) {
                return;
            }
            if (wishes.isEmpty()) {
                since = ticker.read();
            }
            wishes = Set.copyOf(next);
        } finally {
            lock.unlock();
        }
        listeners.forEach(Runnable::run);
    }

    public boolean isWanted() {
        return !wishes.isEmpty();
    }

    /** Whether it is wanted here, and not by the control plane alone, which then has to be told. */
    public boolean isWantedHere() {
        return wishes.contains(Wish.ASKED) || wishes.contains(Wish.STOPPING);
    }

    /** Until new calls are refused; zero or less once they are, and {@link #grace} while nobody wants it. */
    public Duration left() {
        return isWanted() ? grace.minusNanos(ticker.read() - since) : grace;
    }

    public Duration grace() {
        return grace;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        if (isWanted()
                && !left().isPositive()
                && KVStoreServiceGrpc.SERVICE_NAME.equals(
                        call.getMethodDescriptor().getServiceName())) {
            Failures.close(call, Refusal.draining());
            CallerConnection from = call.getAttributes().get(CallerConnection.OF_CALL);
            if (from != null) {
                from.sendElsewhere();
            }
            return new ServerCall.Listener<>() {};
        }
        return next.startCall(call, headers);
    }
}
