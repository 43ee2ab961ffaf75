package dev.kvstore.admin.waiting;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * Places of calls that wait: so many for all, and so many for one tenant, or for one caller of the whole platform, that
 * nobody takes the places of all others. Thread-safe.
 */
final class WaitingSlots {
    private final int most;
    private final int mostOfOne;
    private final Semaphore places;

    /** Places by holder. A holder without a waiting call is not in it, so it is no larger than the number of places. */
    private final ConcurrentHashMap<String, Integer> taken = new ConcurrentHashMap<>();

    WaitingSlots(int most, int mostOfOne) {
        this.most = most;
        this.mostOfOne = mostOfOne;
        this.places = new Semaphore(most);
    }

    /**
     * Takes a place, which {@link #giveBack} takes back.
     *
     * @throws ProblemException if there is none, or none for this caller
     */
    void take(Caller caller) {
        if (!places.tryAcquire()) {
            throw crowded(most + " calls wait already");
        }
        boolean[] full = {false};
        taken.compute(caller.party(), (_, count) -> {
            int now = Objects.requireNonNullElse(count, 0);
            full[0] = now == mostOfOne;
            return full[0] ? now : now + 1;
        });
        if (full[0]) {
            places.release();
            throw crowded(mostOfOne + " calls of yours wait already");
        }
    }

    void giveBack(Caller caller) {
        taken.compute(caller.party(), (_, count) -> count == null || count == 1 ? null : Integer.valueOf(count - 1));
        places.release();
    }

    private static ProblemException crowded(String reason) {
        return ProblemException.of(ProblemKind.CROWDED, reason + ": ask without wait, or again in a second");
    }
}
