package dev.kvstore.client.internal;

import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.internal.http2.Nanos;
import dev.kvstore.client.routing.Picker;
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
        this.deadlineNanos = time.nanos() + Nanos.of(deadline);
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
        endpoints.await(left);
        attempts++;
        Picker.Choice<Endpoint> choice = endpoints.pick(key, tried);
        Deadline deadline = Deadline.after(left().toNanos(), TimeUnit.NANOSECONDS);
        return new Attempt(endpoints, choice.process(), choice.trial(), deadline, time);
    }

    /**
     * Ends a failed attempt and waits until it is time for the next.
     *
     * @throws KvStoreException the failure, if there is to be no next
     */
    void retryOrThrow(Attempt attempt, KvStoreException cause) {
        KvStoreException failure = attempt.failed(cause);
        tried.add(attempt.endpoint());
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
            time.sleep(pause);
        } catch (InterruptedException e) {
            throw Errors.interrupted();
        }
    }

    /**
     * Whether the operation goes to another process at once, and outside of the budget: this one is left alone from now
     * on, so that each operation does that once for each process, and only those that found it as it went away. One that
     * could not be reached has done nothing, and does not count as an attempt.
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

    /** Something was achieved: attempts count anew. */
    void progressed() {
        attempts = 0;
        tried.clear();
    }

    private Duration left() {
        return Duration.ofNanos(deadlineNanos - time.nanos());
    }
}
