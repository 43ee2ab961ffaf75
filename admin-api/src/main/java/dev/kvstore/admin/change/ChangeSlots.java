package dev.kvstore.admin.change;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import dev.kvstore.admin.waiting.PartyPlaces;
import jakarta.inject.Singleton;
import jakarta.transaction.Synchronization;
import jakarta.transaction.TransactionSynchronizationRegistry;
import java.time.Duration;

/**
 * Slots of transactions that change something. Changes are made one after the other, so all but one only wait, each
 * with a connection. Without a limit they would take every connection of the pool while one change takes long, and
 * nobody could read. A tenant, or a caller of the whole platform, has at most half of the slots, so that the changes of
 * others wait for few of its own. Thread-safe.
 */
@Singleton
public final class ChangeSlots {
    /** The number of slots, with twelve of the pool's twenty connections; eight are left to readers. */
    static final int SLOTS = 12;

    /** Most slots of one tenant, or of one caller of the whole platform. */
    static final int SLOTS_OF_ONE = SLOTS / 2;

    /** The longest wait for a slot: as long as a call waits for a connection. */
    static final Duration PATIENCE = Duration.ofSeconds(3);

    private final TransactionSynchronizationRegistry transaction;
    private final PartyPlaces slots = new PartyPlaces(SLOTS, SLOTS_OF_ONE);

    ChangeSlots(TransactionSynchronizationRegistry transaction) {
        this.transaction = transaction;
    }

    /**
     * Waits for a slot, which this transaction has until it ends. Does nothing if the transaction has a slot. Must be
     * called before the transaction's first statement, which takes a connection.
     *
     * @throws ProblemException if no slot became free in time, or the thread was interrupted
     */
    public void take(Caller caller) {
        if (transaction.getResource(this) != null) {
            return;
        }
        Release release = new Release(caller.party());
        if (!slots.take(release.party, PATIENCE)) {
            throw crowded();
        }
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

    private static ProblemException crowded() {
        return ProblemException.of(
                ProblemKind.CROWDED,
                "nothing was changed: too many changes wait for one that takes long; try again in a few seconds");
    }

    /** Gives the slot back when the transaction has ended. */
    private final class Release implements Synchronization {
        private final String party;

        Release(String party) {
            this.party = party;
        }

        @Override
        public void beforeCompletion() {}

        @Override
        public void afterCompletion(int status) {
            run();
        }

        private void run() {
            slots.giveBack(party);
        }
    }
}
