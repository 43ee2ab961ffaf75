package dev.kvstore.clusters.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DatabaseClockTest {
    private static final Instant HERE = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant THERE = HERE.plus(Duration.ofHours(1));
    private static final long MILLI = 1_000_000;

    private final AtomicLong counter = new AtomicLong();
    private final DatabaseClock clock = new DatabaseClock(Clock.fixed(HERE, ZoneOffset.UTC), counter::get);

    @Test
    void goesOnByTheCounterOfThisMachine() {
        clock.set(THERE, 0, 0);

        counter.addAndGet(250 * MILLI);

        assertThat(clock.instant()).isEqualTo(THERE.plusMillis(250));
    }

    @Test
    void takesAReadingForTheMiddleOfTheTimeItTook() {
        counter.set(10 * MILLI);

        clock.set(THERE, 0, 10 * MILLI);

        assertThat(clock.instant()).isEqualTo(THERE.plusMillis(5));
    }

    @Test
    void aReadingThatFitsChangesNothing() {
        clock.set(THERE, 0, 0);

        clock.set(THERE.plusMillis(5), 0, 10 * MILLI + 1);

        assertThat(clock.instant()).isEqualTo(THERE);
    }

    @Test
    void aReadingThatDoesNotFitCounts() {
        clock.set(THERE, 0, 0);

        clock.set(HERE, 0, 10 * MILLI);

        counter.set(5 * MILLI);
        assertThat(clock.instant()).isEqualTo(HERE);
    }

    @Test
    void tellsMicrosecondsAsTheDatabaseKeepsThem() {
        clock.set(THERE, 0, 0);

        counter.set(1_999);

        assertThat(clock.instant()).isEqualTo(THERE.plusNanos(1_000));
    }
}
