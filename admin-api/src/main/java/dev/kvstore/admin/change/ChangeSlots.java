package dev.kvstore.admin.change;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Slots of transactions that change something. Changes are made one after the other, so all but one only wait, each
 * with a connection: without a limit they would take every connection of the pool while one change takes long, and
 * nobody could read. A tenant, or a caller of the whole platform, has half of them at most, so that the changes of the
 * others wait for few of its own. Thread-safe.
 */
@Singleton
public final class ChangeSlots {
    /** Twelve of the pool's twenty connections; eight are left to readers. */
    static final int SLOTS = 12;

    /** Most slots of one tenant, or of one caller of the whole platform. */
    static final int SLOTS_OF_ONE = SLOTS / 2;

    /** As long as a call waits for a connection. */
    static final Duration PATIENCE = Duration.ofSeconds(3);

    private final TransactionSynchronizationRegistry transaction;
    private final Semaphore slots;
    private final int ofOne;
    private final Duration patience;

    /** By party. A party without a change is not in it, so it is no larger than the number of requests. */
    private final ConcurrentHashMap<String, PartySlots> parties = new ConcurrentHashMap<>();

    /** @param changes changes of the party that have a slot or wait for one */
    private record PartySlots(Semaphore slots, int changes) {
        PartySlots with(int more) {
            return new PartySlots(slots, changes + more);
        }
    }

    @Inject
    ChangeSlots(TransactionSynchronizationRegistry transaction) {
        this(transaction, SLOTS, SLOTS_OF_ONE, PATIENCE);
    }

    ChangeSlots(TransactionSynchronizationRegistry transaction, int slots, int ofOne, Duration patience) {
        this.transaction = transaction;
        this.slots = new Semaphore(slots, true);
        this.ofOne = ofOne;
        this.patience = patience;
    }

    /**
     * Waits for a slot, which this transaction has until it ends. Does nothing if it has one. Must be called before the
     * transaction's first statement, which takes a connection.
     *
     * @throws ProblemException if no slot became free in time, or the thread was interrupted
     */
    public void take(Caller caller) {
        if (transaction.getResource(this) != null) {
            return;
        }
        Release release = acquire(caller.party());
        boolean kept = false;
        try {
            transaction.putResource(this, true);
            transaction.registerInterposedSynchronization(release);
            kept = true;
        } finally {
            if (!kept) {
                release.run();
            }
        }
    }

    private Release acquire(String party) {
        Semaphore own = enter(party);
        boolean acquired = false;
        try {
            acquire(own);
            acquired = true;
            return new Release(party, own);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw crowded();
        } finally {
            if (!acquired) {
                leave(party);
            }
        }
    }

    /** Takes a slot of the party's and one of all; none if this throws. */
    private void acquire(Semaphore own) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        if (!own.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
            throw crowded();
        }
        boolean taken = false;
        try {
            taken = slots.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } finally {
            if (!taken) {
                own.release();
            }
        }
        if (!taken) {
            throw crowded();
        }
    }

    private Semaphore enter(String party) {
        return parties.merge(party, new PartySlots(new Semaphore(ofOne, true), 1), (known, _) -> known.with(1))
                .slots();
    }

    private void leave(String party) {
        var _ = parties.computeIfPresent(party, (_, known) -> known.changes() == 1 ? null : known.with(-1));
    }

    private static ProblemException crowded() {
        return ProblemException.of(
                ProblemKind.CROWDED,
                "nothing was changed: too many changes wait for one that takes long; try again in a few seconds");
    }

    /** Gives the slot back when the transaction has ended. */
    private final class Release implements Synchronization {
        private final String party;
        private final Semaphore own;

        Release(String party, Semaphore own) {
            this.party = party;
            this.own = own;
        }

        @Override
        public void beforeCompletion() {}

        @Override
        public void afterCompletion(int status) {
            run();
        }

        private void run() {
            slots.release();
            own.release();
            leave(party);
        }
    }
}
