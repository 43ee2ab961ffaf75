package dev.kvstore.client.internal;

import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.RetryOptions;
import dev.kvstore.client.internal.http2.Nanos;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether and when a failed attempt is repeated. Thread-safe if the generator is.
 *
 * @param options the number of attempts and their pauses
 * @param budget the retries that the whole client may still make
 * @param random source of jitter
 */
public record RetryPolicy(RetryOptions options, RetryBudget budget, RandomGenerator random) {
    /**
     * The part of a server's delay that is added at random, so that clients with the same delay do not return together.
     */
    private static final double HINT_SPREAD = 0.2;

    private static final int MAX_DOUBLINGS = 20;

    /**
     * The pause before the next attempt; null to give up.
     *
     * @param attempts attempts made since the last progress, 0 or more
     * @param left time until the deadline
     */
    @Nullable
    Duration pause(int attempts, KvStoreException failure, Duration left) {
        if (!failure.retryable() || !attemptsLeft(attempts)) {
            return null;
        }
        Duration hint = failure.retryDelay();
        Duration pause = hint == null ? backoff(attempts) : spread(hint);
        return pause.compareTo(left) < 0 && budget.withdraw() ? pause : null;
    }

    /** Whether another data plane is asked at once, because this one is away. False after an overload. */
    boolean mayMoveOn(KvStoreException failure) {
        return failure.code() == ErrorCode.UNAVAILABLE && failure.retryDelay() == null && options.maxAttempts() > 1;
    }

    /** @param attempts attempts made since the last progress, 0 or more */
    boolean attemptsLeft(int attempts) {
        return attempts < options.maxAttempts();
    }

    /**
     * A random pause ("full jitter") between nothing and a limit that doubles (Brooker, Exponential Backoff And Jitter,
     * AWS 2015).
     */
    private Duration backoff(int attempts) {
        long most = Nanos.of(options.maxBackoff());
        long first = Nanos.of(options.initialBackoff());
        int doublings = Math.max(0, Math.min(attempts - 1, MAX_DOUBLINGS));
        long limit = first > most >> doublings ? most : first << doublings;
        return Duration.ofNanos((long) (random.nextDouble() * limit));
    }

    private Duration spread(Duration hint) {
        return hint.plusNanos((long) (random.nextDouble() * HINT_SPREAD * Nanos.of(hint)));
    }
}
