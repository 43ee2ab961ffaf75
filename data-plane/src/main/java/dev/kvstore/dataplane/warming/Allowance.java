package dev.kvstore.dataplane.warming;

import com.github.benmanes.caffeine.cache.Ticker;
import dev.kvstore.dataplane.rate.Bucket;
import dev.kvstore.protocol.control.v1.Budget;
import java.time.Duration;

/**
 * The budget of a warming for calls and bytes of storage, as the control plane last set it. A caller beyond the budget
 * waits. Thread-safe.
 */
final class Allowance {
    /** Lets time pass. */
    @FunctionalInterface
    interface Sleeper {
        void last(Duration time) throws InterruptedException;
    }

    private static final int BLOCK_REQUESTS = 2;
    private static final Duration MOST_PAUSE = Duration.ofSeconds(1);

    private final Bucket bytes;
    private final Bucket requests;
    private final Sleeper pause;
    private volatile Budget budget;

    Allowance(Budget budget, Ticker ticker, Sleeper pause) {
        this.budget = budget;
        // Nothing is saved up: units that were not used in one second do not add to those of the next.
        this.bytes = new Bucket(ticker, 1);
        this.requests = new Bucket(ticker, 1);
        this.pause = pause;
    }

    /** Waits for something else. */
    void pause(Duration time) throws InterruptedException {
        pause.last(time);
    }

    void set(Budget next) {
        budget = next;
    }

    /** Waits until a call to storage may be made. */
    void request() throws InterruptedException {
        await(requests, 1, Allowance::requestsPerSecond);
    }

    /**
     * Waits until a block may be read at the source and written at the target. For one thread at a time, so that blocks
     * begin in their order. {@link #correct} gives back the bytes that the block did not use.
     */
    void block(long length) throws InterruptedException {
        await(requests, BLOCK_REQUESTS, Allowance::requestsPerSecond);
        await(bytes, length, Allowance::bytesPerSecond);
    }

    /** Gives back the budget of a block that was neither read nor written. */
    void unused(long length) {
        requests.charge(-BLOCK_REQUESTS, requestsPerSecond(budget));
        correct(-length);
    }

    /** Corrects the budget of a block that was longer than expected, or shorter if negative. */
    void correct(long length) {
        bytes.charge(length, bytesPerSecond(budget));
    }

    private interface BudgetRate {
        long of(Budget budget);
    }

    private void await(Bucket bucket, long units, BudgetRate rate) throws InterruptedException {
        Duration due = bucket.take(units, rate.of(budget));
        while (due.isPositive()) {
            // The control plane sets the rate anew every second.
            pause.last(due.compareTo(MOST_PAUSE) < 0 ? due : MOST_PAUSE);
            due = bucket.take(units, rate.of(budget));
        }
    }

    private static long bytesPerSecond(Budget budget) {
        return Math.max(1, budget.getBytesPerSecond());
    }

    private static long requestsPerSecond(Budget budget) {
        return Math.max(1, Integer.toUnsignedLong(budget.getRequestsPerSecond()));
    }
}
