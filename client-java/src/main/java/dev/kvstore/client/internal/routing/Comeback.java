package dev.kvstore.client.internal.routing;

import java.util.Comparator;
import java.util.concurrent.atomic.AtomicReference;

/** Returns keys to a level that was away: over {@link RoutingRules#RETURN}, each key at its own moment. Thread-safe. */
final class Comeback {
    /** Sorts levels: first levels with all of their keys, then levels with a part of them, then levels without keys. */
    static final Comparator<Comeback> MOST_KEYS_FIRST = Comparator.comparing(
                    (Comeback comeback) -> comeback.state.get().phase())
            .thenComparing(comeback -> comeback.state.get().since());

    private enum ComebackPhase {
        THERE,
        RETURNING,
        AWAY
    }

    private record ComebackState(ComebackPhase phase, long since) {}

    private static final long SALT = Rendezvous.seed("comeback");

    private final AtomicReference<ComebackState> state;

    private Comeback(ComebackState state) {
        this.state = new AtomicReference<>(state);
    }

    static Comeback there() {
        return new Comeback(new ComebackState(ComebackPhase.THERE, 0));
    }

    /** The state of a level that is in a route again, or for the first time while others served. */
    static Comeback since(long now) {
        return new Comeback(new ComebackState(ComebackPhase.RETURNING, now));
    }

    /** A copy in the same state. */
    Comeback copy() {
        return new Comeback(state.get());
    }

    /** Records whether any data plane of the level works. */
    void observe(boolean whole, long now) {
        ComebackState last = state.get();
        switch (last.phase()) {
            case THERE, RETURNING -> {
                if (!whole) {
                    state.compareAndSet(last, new ComebackState(ComebackPhase.AWAY, now));
                } else if (last.phase() == ComebackPhase.RETURNING
                        && now - last.since() >= RoutingRules.RETURN.toNanos()) {
                    state.compareAndSet(last, new ComebackState(ComebackPhase.THERE, now));
                }
            }
            case AWAY -> {
                if (whole) {
                    state.compareAndSet(last, new ComebackState(ComebackPhase.RETURNING, now));
                }
            }
        }
    }

    /** Whether a key must still stay at another level. */
    boolean holdsBack(long key, long now) {
        ComebackState last = state.get();
        return last.phase() == ComebackPhase.RETURNING
                && now - last.since() < Rendezvous.unit(key ^ SALT) * RoutingRules.RETURN.toNanos();
    }
}
