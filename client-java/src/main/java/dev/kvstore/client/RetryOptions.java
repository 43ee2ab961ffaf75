package dev.kvstore.client;

import dev.kvstore.client.internal.ClientOptions;
import java.time.Duration;

/**
 * The rules for repeating an operation. Every operation may safely be repeated, since a block never changes: a repeated
 * write finds the block stored. Only {@code UNAVAILABLE} and {@code RESOURCE_EXHAUSTED} are retried, always within the
 * deadline.
 *
 * <p>When a data plane dies, all operations there fail at once, more than a budget could cover. So an {@code
 * UNAVAILABLE} without a retry delay of the server is repeated at once and not charged to the budget, as long as there
 * is a healthy data plane that this operation has not tried. This rule cannot multiply load: after a failure every
 * operation of the client avoids that data plane, and no operation moves away from one data plane twice. A data plane
 * that could not be reached, or went silent, did no work, so it does not count as an attempt either. An overload
 * ({@code RESOURCE_EXHAUSTED}) is always charged. With {@code maxAttempts} 1 nothing is retried.
 *
 * @param maxAttempts attempts of one operation, the first included, 1 to 20; a stream counts them anew whenever a block
 *     arrives
 * @param initialBackoff longest pause before the first retry. The pause is random between 0 and this limit, so that
 *     clients that failed together do not return together
 * @param maxBackoff longest pause before any retry; from one retry to the next the longest pause doubles up to this
 *     limit
 * @param budgetPercent retries allowed for each 100 operations of the client, 0 to 100, so that retries never multiply
 *     an overload
 * @param budgetBurst further retries that a new client may make, 0 to 1000
 */
public record RetryOptions(
        int maxAttempts, Duration initialBackoff, Duration maxBackoff, int budgetPercent, int budgetBurst) {
    /**
     * The default: 4 attempts; pauses up to 50 ms, 100 ms, 200 ms ... 2 s; a budget of 10 % and 10. The 10 % are the
     * share of gRPC's retry throttling (gRFC A6, tokenRatio 0.1) and half of Finagle's RetryBudget, since a client can
     * use other data planes.
     */
    public static final RetryOptions DEFAULT =
            new RetryOptions(4, Duration.ofMillis(50), Duration.ofSeconds(2), 10, 10);

    /** The rules for no retry: one attempt. */
    public static final RetryOptions NONE = new RetryOptions(1, Duration.ofMillis(50), Duration.ofSeconds(2), 0, 0);

    public RetryOptions {
        ClientOptions.requireRange("retry.maxAttempts", maxAttempts, 1, 20);
        ClientOptions.requirePositive("retry.initialBackoff", initialBackoff);
        ClientOptions.requirePositive("retry.maxBackoff", maxBackoff);
        ClientOptions.requireRange("retry.budgetPercent", budgetPercent, 0, 100);
        ClientOptions.requireRange("retry.budgetBurst", budgetBurst, 0, 1000);
    }

    public RetryOptions withMaxAttempts(int maxAttempts) {
        return new RetryOptions(maxAttempts, initialBackoff, maxBackoff, budgetPercent, budgetBurst);
    }
}
