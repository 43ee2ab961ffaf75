package dev.kvstore.listener;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * gRPC's own health service. Its calls have no key, so their messages are short and their number is limited. Beyond the
 * limit the connection with most calls loses its oldest one, so that a caller with many calls neither blocks probes nor
 * ends the watches of connections with fewer calls. Thread-safe.
 */
public final class HealthCalls {
    /** The name of the service. */
    public static final String SERVICE = "grpc.health.v1.Health";

    /** The most calls: every client and every probe of a large cluster, watching. */
    static final int LIMIT = 1_000;

    /** The most health checks of one connection: a probe needs one, a proxy that watches for others a few. */
    static final int LIMIT_OF_CONNECTION = 32;

    /** The bounds of a call: room for the name of a service, and the longest wait of a probe. */
    static final BriefCall.CallBounds BOUNDS = new BriefCall.CallBounds(1024, Duration.ofSeconds(10), true);

    private final Runnable whenTooMany;
    private final Runnable whenBroken;
    private final ReentrantLock lock = new ReentrantLock();

    /** The calls of connections, in the order of their first calls. */
    private final Map<CallerConnection, ConnectionCalls> connections = new LinkedHashMap<>();

    private int open;

    /**
     * The calls of a connection: all that are not over, and those of them that were not ended here, the oldest first.
     */
    private static final class ConnectionCalls {
        private final LinkedHashSet<BriefCall<?, ?>> open = new LinkedHashSet<>();
        private int begun;
    }

    /**
     * Makes a service without calls.
     *
     * @param whenTooMany called for each call that is refused or ended since too many are open
     * @param whenBroken called for each call that is ended since its request was too long or late
     */
    public HealthCalls(Runnable whenTooMany, Runnable whenBroken) {
        this.whenTooMany = whenTooMany;
        this.whenBroken = whenBroken;
    }

    /** Starts a call of the service, or refuses it. */
    public <Q, R> ServerCall.Listener<Q> start(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next, CallerConnection caller) {
        if (!enter(caller)) {
            whenTooMany.run();
            call.close(exhausted(LIMIT_OF_CONNECTION + " calls on this connection"), new Metadata());
            return new ServerCall.Listener<>() {};
        }
        BriefCall.BriefCallListener<Q, R> started = BriefCall.start(call, headers, next, BOUNDS, whenBroken);
        BriefCall<?, ?> surplus = add(started.call(), caller);
        if (surplus != null) {
            whenTooMany.run();
            surplus.end(exhausted(LIMIT + " others since"));
        }
        return new SimpleForwardingServerCallListener<>(started) {
            @Override
            public void onHalfClose() {
                caller.answered();
                super.onHalfClose();
            }

            @Override
            public void onComplete() {
                leave(started.call(), caller);
                super.onComplete();
            }

            @Override
            public void onCancel() {
                leave(started.call(), caller);
                super.onCancel();
            }
        };
    }

    private static Status exhausted(String others) {
        return Status.RESOURCE_EXHAUSTED.withDescription("health is asked for by " + others + " already");
    }

    private boolean enter(CallerConnection caller) {
        lock.lock();
        try {
            ConnectionCalls calls = connections.computeIfAbsent(caller, _ -> new ConnectionCalls());
            boolean room = calls.begun < LIMIT_OF_CONNECTION;
            calls.begun += room ? 1 : 0;
            return room;
        } finally {
            lock.unlock();
        }
    }

    /** Adds a call. Returns the call that must end for it, if there is one. */
    private @Nullable BriefCall<?, ?> add(BriefCall<?, ?> call, CallerConnection caller) {
        lock.lock();
        try {
            ConnectionCalls calls = connections.get(caller);
            if (calls == null) {
                // The call was over before it began.
                return null;
            }
            calls.open.add(call);
            if (++open <= LIMIT) {
                return null;
            }
            ConnectionCalls most = calls;
            for (ConnectionCalls other : connections.values()) {
                if (other.open.size() > most.open.size()) {
                    most = other;
                }
            }
            open--;
            return most.open.removeFirst();
        } finally {
            lock.unlock();
        }
    }

    private void leave(BriefCall<?, ?> call, CallerConnection caller) {
        lock.lock();
        try {
            ConnectionCalls calls = connections.get(caller);
            if (calls == null) {
                return;
            }
            open -= calls.open.remove(call) ? 1 : 0;
            if (--calls.begun == 0) {
                connections.remove(caller);
            }
        } finally {
            lock.unlock();
        }
    }
}
