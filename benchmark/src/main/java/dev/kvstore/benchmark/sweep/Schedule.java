package dev.kvstore.benchmark.sweep;

import java.util.concurrent.atomic.AtomicLong;

/**
 * When the iterations of an open loop are due: at even distances, whatever becomes of those before. Thread-safe.
 */
final class Schedule {
    private static final double SECOND = 1e9;

    private final long start;
    private final double interval;
    private final int place;
    private final int places;
    private final AtomicLong number = new AtomicLong();

    /**
     * Every so manieth of all.
     *
     * @param start in readings of {@link System#nanoTime}
     * @param rate of all places together, a second; 0 if there is none
     * @param place which of them this is, from 0
     */
    Schedule(long start, double rate, int place, int places) {
        this.start = start;
        this.interval = rate == 0 ? 0 : SECOND / rate;
        this.place = place;
        this.places = places;
    }

    /** When the next one is due; each is given to one caller. */
    long next() {
        return start + Math.round((number.getAndIncrement() * places + place) * interval);
    }
}
