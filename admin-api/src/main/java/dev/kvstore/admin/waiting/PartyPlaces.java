package dev.kvstore.admin.waiting;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Places for work, of which only a limited amount may run at a time. The work of a party waits for one of that party's
 * own places first, and then in the common line, where the party has no more work than its own places. So however much
 * work one party has, others wait only for that many of its works. Thread-safe.
 */
public final class PartyPlaces {
    private final Semaphore places;
    private final int ofOne;

    /** The parties that have work; the map is never larger than the number of requests. */
    private final ConcurrentHashMap<Object, OwnPlaces> parties = new ConcurrentHashMap<>();

    /** @param works the number of the party's works that have a place or wait for one */
    private record OwnPlaces(Semaphore places, int works) {
        OwnPlaces with(int more) {
            return new OwnPlaces(places, works + more);
        }
    }

    /**
     * Makes places, all of which are free.
     *
     * @param places the number of all places, 1 or more
     * @param ofOne the most places that one party has or waits for in the common line, 1 or more
     */
    public PartyPlaces(int places, int ofOne) {
        this.places = new Semaphore(places, true);
        this.ofOne = ofOne;
    }

    /**
     * Waits for a place, which {@link #giveBack} gives back.
     *
     * @param party equal for work that counts together
     * @param patience the longest wait; zero to take a place only if one is free
     * @return false if no place became free in time, or the thread was interrupted, whose mark stays
     */
    public boolean take(Object party, Duration patience) {
        Semaphore own = parties.merge(party, new OwnPlaces(new Semaphore(ofOne, true), 1), (known, _) -> known.with(1))
                .places();
        long end = System.nanoTime() + patience.toNanos();
        boolean owned = false;
        boolean taken = false;
        try {
            owned = own.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
            taken = owned && places.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            return taken;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            if (!taken) {
                leave(party, own, owned);
            }
        }
    }

    /** Gives a place back that the party has. */
    public void giveBack(Object party) {
        OwnPlaces own = parties.get(party);
        if (own == null) {
            throw new IllegalStateException("a party without a place gives none back");
        }
        places.release();
        leave(party, own.places(), true);
    }

    private void leave(Object party, Semaphore own, boolean owned) {
        if (owned) {
            own.release();
        }
        var _ = parties.computeIfPresent(party, (_, known) -> known.works() == 1 ? null : known.with(-1));
    }

    /** The number of free places. */
    public int free() {
        return places.availablePermits();
    }

    /** The amount of work that waits for a place now; an estimate. */
    public int waiting() {
        return places.getQueueLength()
                + parties.values().stream()
                        .mapToInt(own -> own.places().getQueueLength())
                        .sum();
    }
}
