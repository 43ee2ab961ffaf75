package dev.kvstore.testing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** A clock that begins with the present time, to the microsecond, and moves only when a test moves it. Thread-safe. */
public final class MovableClock extends Clock {
    private volatile Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS);

    /** Moves the clock forward, or back if the time is negative. One thread at a time. */
    public void move(Duration time) {
        now = now.plus(time);
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("this clock is in UTC");
    }
}
