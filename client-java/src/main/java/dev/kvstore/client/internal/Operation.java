package dev.kvstore.client.internal;

import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.internal.http2.Nanos;
import dev.kvstore.client.internal.routing.Picker;
import io.grpc.Deadline;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One operation of the application and its attempts. One thread at a time uses it. */
public final class Operation {
    private final RouteEndpoints endpoints;
    private final RetryPolicy policy;
    private final Time time;
    private final LiveCounters counters;
    private final long key;
    private final long deadlineNanos;
    private final Set<Endpoint> tried = new HashSet<>();
    private int attempts;

    public Operation(
            RouteEndpoints endpoints,
            RetryPolicy policy,
            Time time,
            LiveCounters counters,
            long key,
            Duration deadline) {
        this.endpoints = endpoints;
        this.policy = policy;
        this.time = time;
        this.counters = counters;
        this.key = key;
        this.deadlineNanos = time.nanos() + Nanos.of(deadline);
        policy.budget().deposit();
    }

    /**
     * Begins the next attempt.
     *
     * @throws KvStoreException {@code DEADLINE_EXCEEDED} if there is no time left; {@code CANCELLED} if the client is
     *     closed
     */
    public Attempt begin() {
        endpoints.await(required());
        attempts++;
        Picker.Choice<Endpoint> choice = endpoints.pick(key, tried);
        Deadline deadline = Deadline.after(left().toNanos(), TimeUnit.NANOSECONDS);
        return new Attempt(endpoints, choice.process(), choice.trial(), deadline, time);
    }

    /**
     * Ends a failed attempt, and waits until the next one may begin.
     *
     * @throws KvStoreException the failure, if there is no next attempt; {@code CANCELLED} if the client is closed
     */
    public void retryOrThrow(Attempt attempt, KvStoreException cause) {
        KvStoreException failure = attempt.failed(cause);
        tried.add(attempt.endpoint());
        if (endpoints.isClosed() && failure.retryable()) {
            throw Errors.clientClosed();
        }
        counters.retries.increment();
        if (movesOn(attempt, failure)) {
            return;
        }
        if (tried.containsAll(endpoints.all())) {
            tried.clear();
        }
        @Nullable Duration pause = policy.pause(attempts, failure, left());
        if (pause == null) {
            counters.retries.decrement();
            throw failure;
        }
        try {
            if (time.await(endpoints.closing(), pause)) {
                throw Errors.clientClosed();
            }
        } catch (InterruptedException e) {
            throw Errors.interrupted();
        }
    }

    /**
     * Whether the operation goes to another data plane at once, without a charge to the budget. The failed data plane
     * gets no operations from now on, so only operations that were there when it failed move on, and each moves once
     * for each data plane. A data plane that could not be reached has done no work, and does not count as an attempt.
     */
    private boolean movesOn(Attempt attempt, KvStoreException failure) {
        if (!policy.mayMoveOn(failure) || !endpoints.hasBeyond(tried, time.nanos())) {
            return false;
        }
        if (attempt.unreached()) {
            attempts--;
            return true;
        }
        return policy.attemptsLeft(attempts);
    }

    /** Notes that the operation has made progress: attempts count anew. */
    public void progressed() {
        attempts = 0;
        tried.clear();
    }

    /**
     * The time that is left until the deadline.
     *
     * @throws KvStoreException {@code DEADLINE_EXCEEDED} if the deadline has passed
     */
    public Duration required() {
        Duration left = left();
        if (left.isNegative() || left.isZero()) {
            throw new KvStoreException(ErrorCode.DEADLINE_EXCEEDED, "no time left to begin an attempt");
        }
        return left;
    }

    /** The time until the deadline; negative after it. */
    public Duration left() {
        return Duration.ofNanos(deadlineNanos - time.nanos());
    }
}
