package dev.kvstore.client.internal;

import dev.kvstore.client.RetryOptions;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many retries a client may still make: every operation pays in a fraction of a token, every retry takes one whole.
 * So a fleet that fails sees at most that fraction more load. After Finagle's RetryBudget, which pays in the same way,
 * without its expiry: a cap of ten bursts bounds what a quiet time can save up. Thread-safe.
 */
public final class RetryBudget {
    private static final long TOKEN = 100;
    private static final int CAP_BURSTS = 10;

    private final long deposit;
    private final long cap;
    private final AtomicLong balance;

    public RetryBudget(RetryOptions options) {
        this.deposit = options.budgetPercent();
        this.cap = TOKEN * CAP_BURSTS * Math.max(1, options.budgetBurst());
        this.balance = new AtomicLong(TOKEN * options.budgetBurst());
    }

    /** An operation begins. */
    void deposit() {
        balance.updateAndGet(held -> Math.min(cap, held + deposit));
    }

    /** Takes a token for one retry; false if there is none. */
    boolean withdraw() {
        return balance.getAndUpdate(held -> held >= TOKEN ? held - TOKEN : held) >= TOKEN;
    }
}
