package dev.kvstore.dataplane.call;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.listener.CallerConnection;
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
 * The drain of this process. A draining process first announces it, and still serves new calls for a grace period,
 * since not every client knows yet. Then it refuses new calls and finishes open ones. Thread-safe; never waits.
 */
public final class Drain implements ServerInterceptor {
    /** The reasons to drain. The process drains while there is at least one. */
    public enum Wish {
        /** The control plane asks for it. */
        INSTRUCTED,
        /** A command on this machine asks for it. */
        ASKED,
        /** The process is stopping; this reason never ends. */
        STOPPING
    }

    private final Duration grace;
    private final Ticker ticker;
    private final ReentrantLock lock = new ReentrantLock();
    private final CopyOnWriteArrayList<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Set<Wish> wishes = Set.of();
    private volatile long since;

    /**
     * A process that does not drain.
     *
     * @param grace grace period, 0 or more
     */
    public Drain(Duration grace, Ticker ticker) {
        this.grace = grace;
        this.ticker = ticker;
    }

    /** Runs an action after each change of the reasons. The action must not wait. */
    public void whenChanged(Runnable action) {
        listeners.add(action);
    }

    /** Adds or removes a reason. */
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

    /** Whether there is another reason than the control plane's wish, so that the control plane must be told. */
    public boolean isWantedHere() {
        return wishes.contains(Wish.ASKED) || wishes.contains(Wish.STOPPING);
    }

    /** Time until new calls are refused; zero or less once they are, and the grace period without a drain. */
    public Duration left() {
        return isWanted() ? grace.minusNanos(ticker.read() - since) : grace;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        if (isWanted()
                && !left().isPositive()
                && KVStoreServiceGrpc.SERVICE_NAME.equals(
                        call.getMethodDescriptor().getServiceName())) {
            CallFailures.close(call, CallRefusal.draining());
            CallerConnection caller = call.getAttributes().get(CallerConnection.OF_CALL);
            if (caller != null) {
                caller.sendElsewhere();
            }
            return new ServerCall.Listener<>() {};
        }
        return next.startCall(call, headers);
    }
}
