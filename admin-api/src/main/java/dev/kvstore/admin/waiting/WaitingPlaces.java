package dev.kvstore.admin.waiting;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.problem.Kind;
import dev.kvstore.admin.problem.ProblemException;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Places of calls that wait: so many for all, and so many for one tenant, or for one caller of the whole platform, that nobody takes the
 * places of all others. Thread-safe.
 */
final class WaitingPlaces {
    private final int most;
    private final int mostOfOne;
    private final Semaphore places;

    /** Places by holder. A holder without a waiting call is not in it, so it is no larger than the number of places. */
    private final ConcurrentHashMap<Holder, Integer> taken = new ConcurrentHashMap<>();

    private record Holder(@Nullable String tenant, @Nullable String name) {
        static Holder of(Caller caller) {
            return caller.tenant() == null ? new Holder(null, caller.name()) : new Holder(caller.tenant(), null);
        }
    }

    WaitingPlaces(int most, int mostOfOne) {
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
        taken.compute(Holder.of(caller), (_, count) -> {
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
        taken.compute(Holder.of(caller), (_, count) -> count == null || count == 1 ? null : Integer.valueOf(count - 1));
        places.release();
    }

    private static ProblemException crowded(String reason) {
        return ProblemException.of(Kind.CROWDED, reason + ": ask without wait, or again in a second");
    }
}
