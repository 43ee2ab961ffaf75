package dev.kvstore.launcher.numa;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The pause before a process that died is restarted: 1 s, then twice as long each time, 60 s at most; 1 s again for a
 * process that served for two minutes. One thread uses it.
 */
final class BackOff {
    static final Duration FIRST = Duration.ofSeconds(1);
    static final Duration LONGEST = Duration.ofSeconds(60);

    /**
     * The time of service after which the pause is short again. It exceeds the longest pause, so that a process that
     * its load kills soon after each start is not restarted too often.
     */
    static final Duration HEALTHY = Duration.ofMinutes(2);

    private final LongSupplier nanos;
    private Duration next = FIRST;
    private boolean serves;
    private long servesSince;

    /** @param nanos the clock, such as {@link System#nanoTime()} */
    BackOff(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Notes that the process has begun to serve. */
    void serving() {
        serves = true;
        servesSince = nanos.getAsLong();
    }

    /** Notes that the process is dead, whether it had served or not. Returns the pause before its restart. */
    Duration died() {
        if (serves && nanos.getAsLong() - servesSince >= HEALTHY.toNanos()) {
            next = FIRST;
        }
        serves = false;
        Duration pause = next;
        Duration doubled = pause.multipliedBy(2);
        next = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
        return pause;
    }
}
