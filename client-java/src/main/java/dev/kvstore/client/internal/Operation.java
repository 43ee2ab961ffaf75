package dev.kvstore.client.internal;

import dev.kvstore.client.KvStoreException;
import io.grpc.Deadline;
import io.grpc.Status;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One operation of the application and the attempts it takes. For one thread at a time. */
public final class Operation {
    private final Endpoints endpoints;
    private final RetryPolicy policy;
    private final Time time;
    private final Counters counters;
    private final long key;
    private final long deadlineNanos;
    private final Set<Endpoint> tried = new HashSet<>();
    private int attempts;

    Operation(Endpoints endpoints, RetryPolicy policy, Time time, Counters counters, long key, Duration deadline) {
        this.endpoints = endpoints;
        this.policy = policy;
        this.time = time;
        this.counters = counters;
        this.key = key;
        this.deadlineNanos = time.nanos() + deadline.toNanos();
        policy.budget().deposit();
    }

    /**
     * The next attempt.
     *
     * @throws KvStoreException {@code DEADLINE_EXCEEDED} if there is no time left
     */
    Attempt begin() {
        Duration left = left();
        if (!left.isPositive()) {
            throw new KvStoreException(Status.Code.DEADLINE_EXCEEDED, "no time left to begin an attempt");
        }
        attempts++;
        Endpoint endpoint = endpoints.pick(key, tried, time.nanos());
        return new Attempt(endpoint, Deadline.after(left.toNanos(), TimeUnit.NANOSECONDS), time);
    }

    /**
     * Ends a failed attempt and waits until it is time for the next.
     *
     * @throws KvStoreException the failure, if there is to be no next
     */
    void retryOrThrow(Attempt attempt, KvStoreException failure) {
        attempt.failed(failure);
        tried.add(attempt.endpoint());
        if (tried.size() == endpoints.all().size()) {
            tried.clear();
        }
        @Nullable Duration pause = policy.pause(attempts, failure, left());
        if (pause == null) {
            throw failure;
        }
        counters.retries.increment();
        try {
            time.sleep(pause);
        } catch (InterruptedException e) {
            throw Errors.interrupted();
        }
    }

    /** Something was achieved: attempts count anew. */
    void progressed() {
        attempts = 0;
        tried.clear();
    }

    private Duration left() {
        return Duration.ofNanos(deadlineNanos - time.nanos());
    }
}
