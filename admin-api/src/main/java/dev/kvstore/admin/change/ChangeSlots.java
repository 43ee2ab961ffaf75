package dev.kvstore.admin.change;

import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Slots of transactions that change something. Changes are made one after the other, so all but one only wait, each
 * with a connection: without a limit they would take every connection of the pool while one change takes long, and
 * nobody could read. Thread-safe.
 */
@Singleton
public final class ChangeSlots {
    /** Twelve of the pool's twenty connections; eight are left to readers. */
    static final int SLOTS = 12;

    /** As long as a call waits for a connection. */
    static final Duration PATIENCE = Duration.ofSeconds(3);

    private final TransactionSynchronizationRegistry transaction;
    private final Semaphore slots;
    private final Duration patience;

    @Inject
    ChangeSlots(TransactionSynchronizationRegistry transaction) {
        this(transaction, SLOTS, PATIENCE);
    }

    ChangeSlots(TransactionSynchronizationRegistry transaction, int slots, Duration patience) {
        this.transaction = transaction;
        this.slots = new Semaphore(slots, true);
        this.patience = patience;
    }

    /**
     * Waits for a slot, which this transaction has until it ends. Does nothing if it has one. Must be called before the
     * transaction's first statement, which takes a connection.
     *
     * @throws ProblemException if no slot became free in time, or the thread was interrupted
     */
    public void take() {
        if (transaction.getResource(this) != null) {
            return;
        }
        try {
            if (!slots.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                throw crowded();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw crowded();
        }
        boolean kept = false;
        try {
            transaction.putResource(this, true);
            transaction.registerInterposedSynchronization(new Release());
            kept = true;
        } finally {
            if (!kept) {
                slots.release();
            }
        }
    }

    private static ProblemException crowded() {
        return ProblemException.of(
                ProblemKind.CROWDED,
                "nothing was changed: too many changes wait for one that takes long; try again in a few seconds");
    }

    /** Gives the slot back when the transaction has ended. */
    private final class Release implements Synchronization {
        @Override
        public void beforeCompletion() {}

        @Override
        public void afterCompletion(int status) {
            slots.release();
        }
    }
}
