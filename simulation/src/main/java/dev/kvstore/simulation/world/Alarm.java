package dev.kvstore.simulation.world;

/** A task that a host runs at a time. For one thread. */
public final class Alarm {
    private final SimulatedHost host;
    private final long at;
    private final long number;
    private final Runnable ring;
    private boolean isCancelled;
    private boolean rang;

    Alarm(SimulatedHost host, long at, long number, Runnable ring) {
        this.host = host;
        this.at = at;
        this.number = number;
        this.ring = ring;
    }

    SimulatedHost host() {
        return host;
    }

    /** The time of the alarm, in nanoseconds of the world. */
    public long at() {
        return at;
    }

    long number() {
        return number;
    }

    /** Whether the alarm was cancelled before it rang. */
    public boolean isCancelled() {
        return isCancelled;
    }

    /** Whether the alarm rang. */
    public boolean rang() {
        return rang;
    }

    void ring() {
        if (!isCancelled) {
            rang = true;
            ring.run();
        }
    }

    /** Cancels the alarm; returns false if it was cancelled or rang before. */
    public boolean cancel() {
        boolean waited = !isCancelled && !rang;
        isCancelled = isCancelled || !rang;
        return waited;
    }
}
