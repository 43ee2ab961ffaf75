package dev.kvstore.clusters.member;

import dev.kvstore.admin.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/**
 * The database's clock as of the last reading, advanced by this machine's counter of time. So all control planes judge
 * leases by one clock, whatever their machines' clocks say. Thread-safe.
 */
public final class DatabaseClock extends Clock {
    private record ClockReading(Instant instant, long nanos) {}

    private final LongSupplier counter;
    private volatile ClockReading last;

    /**
     * @param until the time to use until the database has been asked
     * @param counter nanoseconds since some moment, which never decrease
     */
    public DatabaseClock(Clock until, LongSupplier counter) {
        this.counter = counter;
        this.last = new ClockReading(until.instant(), counter.getAsLong());
    }

    /**
     * Reads the database's clock.
     *
     * @throws SQLException if the database does not answer; then this clock goes on as before
     */
    public void read(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection()) {
            long asked = counter.getAsLong();
            Instant read = Sql.on(connection, "select clock_timestamp()").only(Instant.class);
            set(read, asked, counter.getAsLong());
        }
    }

    /**
     * Uses a reading. The exact moment of a slow reading is not known, so a reading that fits the present time changes
     * nothing.
     */
    void set(Instant read, long asked, long answered) {
        long half = (answered - asked) / 2;
        Instant known = at(asked + half);
        if (Duration.between(known, read).abs().compareTo(Duration.ofNanos(half)) > 0) {
            last = new ClockReading(read, asked + half);
        }
    }

    private Instant at(long nanos) {
        ClockReading reading = last;
        return reading.instant().plusNanos(nanos - reading.nanos());
    }

    /** The time to the microsecond, as the database keeps it. */
    @Override
    public Instant instant() {
        return at(counter.getAsLong()).truncatedTo(ChronoUnit.MICROS);
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("the database's clock is in UTC");
    }
}
