package dev.kvstore.client.internal;

import dev.kvstore.client.RetryOptions;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the retries of a client: every operation pays in a fraction of a token, and every retry takes a whole one. So
 * a failing fleet gets at most that fraction more load. The design follows Finagle's RetryBudget, without its expiry: a
 * cap of ten bursts bounds the tokens that a quiet time can save up. Thread-safe.
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

    /** Pays in for an operation that begins. */
    void deposit() {
        balance.updateAndGet(held -> Math.min(cap, held + deposit));
    }

    /** Takes a token for one retry; false if there is none. */
    boolean withdraw() {
        return balance.getAndUpdate(held -> held >= TOKEN ? held - TOKEN : held) >= TOKEN;
    }
}
