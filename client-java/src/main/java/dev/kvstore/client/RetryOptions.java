package dev.kvstore.client;

import java.time.Duration;

/**
 * When an operation is tried again. Every operation is idempotent, since blocks are named by their content; only
 * {@code UNAVAILABLE} and {@code RESOURCE_EXHAUSTED} are retried, always inside the deadline.
 *
 * <p>When a process goes away everything under way there fails at once, which no share of the operations covers. So an
 * {@code UNAVAILABLE} without a delay of the server's own is not charged to the budget, and not paused for, while there is
 * a process that is well and that this operation has not tried. That cannot multiply load: the process that failed is left
 * alone from its first failure on, by every operation of the client, and no operation tries one twice so. What could not
 * be reached at all, or went silent, did no work and does not count as an attempt either. An overload
 * ({@code RESOURCE_EXHAUSTED}) is always charged. With a single attempt nothing is retried.
 *
 * @param maxAttempts tries of one operation (of a stream: since it last made progress), the first included; 1 to 20
 * @param initialBackoff longest pause before the first retry; the pause is random between 0 and that, so that clients
 *     that failed together do not return together
 * @param maxBackoff longest pause before any retry; it doubles up to that
 * @param budgetPercent retries allowed per 100 operations of the client, 0 to 100, so that retries never multiply an
 *     overload
 * @param budgetBurst retries allowed on top before any operation has been made, 0 to 1000
 */
public record RetryOptions(
        int maxAttempts, Duration initialBackoff, Duration maxBackoff, int budgetPercent, int budgetBurst) {
    /**
     * 4 attempts; pauses up to 50 ms, 100 ms, 200 ms ... 2 s; 10 % and 10. The share is the one gRPC's retry throttling
     * has (gRFC A6, tokenRatio 0.1), half of Finagle's RetryBudget: a client has other processes to go to.
     */
    public static final RetryOptions DEFAULT =
            new RetryOptions(4, Duration.ofMillis(50), Duration.ofSeconds(2), 10, 10);

    /** One attempt. */
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
