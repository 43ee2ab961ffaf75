package dev.kvstore.launcher.numa;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long a process that died stays dead: 1 s, then twice as long each time, 60 s at most; 1 s again for one that
 * served for two minutes. For one thread.
 */
final class BackOff {
    static final Duration FIRST = Duration.ofSeconds(1);
    static final Duration LONGEST = Duration.ofSeconds(60);

    /** Longer than the longest pause, so that a process that dies of its load soon after each start is not hurried. */
    static final Duration HEALTHY = Duration.ofMinutes(2);

    private final LongSupplier nanos;
    private Duration next = FIRST;
    private boolean serves;
    private long servesSince;

    /**
     * @param nanos as {@link System#nanoTime()}
     */
    BackOff(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** The process has begun to serve. */
    void serving() {
        serves = true;
        servesSince = nanos.getAsLong();
    }

    /** The process is dead; whether it had served or not. Returns how long to wait before it is started again. */
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
