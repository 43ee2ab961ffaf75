package dev.kvstore.control.membership;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** A clock that moves only when it is told to. Thread-safe. */
final class MovableClock extends Clock {
    private volatile Instant now = Instant.now().truncatedTo(ChronoUnit.MICROS);

    void move(Duration time) {
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
        throw new UnsupportedOperationException("it is in UTC");
    }
}
