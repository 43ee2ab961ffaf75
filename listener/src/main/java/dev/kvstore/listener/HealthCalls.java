package dev.kvstore.listener;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * gRPC's own health service: it is asked without a key, and so with short messages, by so many at a time. Beyond that
 * the call that is open longest is ended, so that nobody keeps probes from being answered by asking. Thread-safe.
 */
public final class HealthCalls {
    /** The service's name. */
    public static final String SERVICE = "grpc.health.v1.Health";

    /** Every client and every probe of a large cluster, watching. */
    static final int LIMIT = 1_000;

    /** Most health checks of one connection: a probe needs one, a proxy that watches for others a few. */
    static final int LIMIT_OF_CONNECTION = 32;

    /** The name of a service, and how long a probe waits at most. */
    static final BriefCall.CallBounds BOUNDS = new BriefCall.CallBounds(1024, Duration.ofSeconds(10), true);

    private final Runnable whenTooMany;
    private final Runnable whenBroken;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<BriefCall<?, ?>> open = new LinkedHashSet<>();
    private final Map<CallerConnection, Integer> ofConnection = new HashMap<>();

    /**
     * No call is open.
     *
     * @param whenTooMany hears of each call that is refused or ended since too many are open
     * @param whenBroken hears of each call that is ended since its request was too long or late
     */
    public HealthCalls(Runnable whenTooMany, Runnable whenBroken) {
        this.whenTooMany = whenTooMany;
        this.whenBroken = whenBroken;
    }

    /** Starts a call of the service, or refuses it. */
    public <Q, R> ServerCall.Listener<Q> start(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next, CallerConnection from) {
        if (!enter(from)) {
            whenTooMany.run();
            call.close(exhausted(LIMIT_OF_CONNECTION + " calls on this connection"), new Metadata());
            return new ServerCall.Listener<>() {};
        }
        BriefCall.BriefCallListener<Q, R> started = BriefCall.start(call, headers, next, BOUNDS, whenBroken);
        BriefCall<?, ?> longest = add(started.call());
        if (longest != null) {
            whenTooMany.run();
            longest.end(exhausted(LIMIT + " others since"));
        }
        return new SimpleForwardingServerCallListener<>(started) {
            @Override
            public void onHalfClose() {
                from.answered();
                super.onHalfClose();
            }

            @Override
            public void onComplete() {
                leave(started.call(), from);
                super.onComplete();
            }

            @Override
            public void onCancel() {
                leave(started.call(), from);
                super.onCancel();
            }
        };
    }

    private static Status exhausted(String others) {
        return Status.RESOURCE_EXHAUSTED.withDescription("health is asked for by " + others + " already");
    }

    private boolean enter(CallerConnection from) {
        lock.lock();
        try {
            int calls = ofConnection.getOrDefault(from, 0);
            if (calls >= LIMIT_OF_CONNECTION) {
                return false;
            }
            ofConnection.put(from, calls + 1);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private @Nullable BriefCall<?, ?> add(BriefCall<?, ?> call) {
        lock.lock();
        try {
            open.add(call);
            if (open.size() <= LIMIT) {
                return null;
            }
            Iterator<BriefCall<?, ?>> longest = open.iterator();
            BriefCall<?, ?> ended = longest.next();
            longest.remove();
            return ended;
        } finally {
            lock.unlock();
        }
    }

    private void leave(BriefCall<?, ?> call, CallerConnection from) {
        lock.lock();
        try {
            open.remove(call);
            ofConnection.computeIfPresent(from, (_, calls) -> calls == 1 ? null : calls - 1);
        } finally {
            lock.unlock();
        }
    }
}
