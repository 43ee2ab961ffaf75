package dev.kvstore.client.routing;

import java.util.concurrent.atomic.AtomicReference;

/** Returns keys to a level that was away: over {@link RoutingRules#RETURN}, each key at its own moment. Thread-safe. */
final class Comeback {
    private enum Phase {
        THERE,
        AWAY,
        RETURNING
    }

    private record State(Phase phase, long since) {}

    private static final long SALT = Rendezvous.seed("comeback");

    private final AtomicReference<State> state;

    private Comeback(State state) {
        this.state = new AtomicReference<>(state);
    }

    static Comeback there() {
        return new Comeback(new State(Phase.THERE, 0));
    }

    /** For a level that is in a route again, or for the first time while others served. */
    static Comeback since(long now) {
        return new Comeback(new State(Phase.RETURNING, now));
    }

    /** Records whether any data plane of the level works. */
    void observe(boolean whole, long now) {
        State last = state.get();
        switch (last.phase()) {
            case THERE, RETURNING -> {
                if (!whole) {
                    state.compareAndSet(last, new State(Phase.AWAY, now));
                } else if (last.phase() == Phase.RETURNING && now - last.since() >= RoutingRules.RETURN.toNanos()) {
                    state.compareAndSet(last, new State(Phase.THERE, now));
                }
            }
            case AWAY -> {
                if (whole) {
                    state.compareAndSet(last, new State(Phase.RETURNING, now));
                }
            }
        }
    }

    /** Whether a key must still stay at another level. */
    boolean holdsBack(long key, long now) {
        State last = state.get();
        return last.phase() == Phase.RETURNING
                && now - last.since() < Rendezvous.unit(key ^ SALT) * RoutingRules.RETURN.toNanos();
    }
}
