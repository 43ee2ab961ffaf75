package dev.kvstore.clusters.member;

import dev.kvstore.clusters.fleet.Rules;
import dev.kvstore.clusters.lease.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Notices that for a while nobody could have renewed a lease, since no control plane ran or none reached the database,
 * or that the database's clock was set; and has leases last for as much longer. Of several control planes the first one
 * that notices does so, and the others see its work. Thread-safe.
 */
public final class OutageDetector {
    private final DataSource database;
    private final Clock clock;

    /**
     * @param clock the clock by which all leases are judged; read before each beat
     */
    public OutageDetector(DataSource database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /** By how much leases are to be moved: nothing, if the last beat is not too long ago, nor yet to come. */
    static Optional<Duration> pause(Instant last, Instant now) {
        Duration since = Duration.between(last, now);
        return since.abs().compareTo(Rules.PAUSE) > 0 ? Optional.of(since) : Optional.empty();
    }

    /** The pause that a beat made up for. */
    public record LeaseCompensation(Duration pause, int leases) {}

    /**
     * A beat.
     *
     * @param at by which leases are to be judged: of all that held one before that, none has lost it for want of
     *     somebody to renew it
     * @param made the pause that this control plane made up for; empty in most cases
     */
    public record BeatOutcome(Instant at, Optional<LeaseCompensation> made) {}

    /**
     * Says that leases can be renewed now. Leases that are read after its answer are prolonged up to the moment that it
     * returns, and no further, since this process may be stopped right after it.
     *
     * @throws SQLException if the database does not answer
     */
    public BeatOutcome beat() throws SQLException {
        Instant last = last();
        Instant now = clock.instant();
        Optional<Duration> pause = pause(last, now);
        if (pause.isPresent()) {
            Optional<LeaseCompensation> made = Sql.inTransaction(
                    database,
                    connection -> move(connection, last, now)
                            ? Optional.of(new LeaseCompensation(pause.get(), shift(connection, last, now)))
                            : Optional.empty());
            return new BeatOutcome(now, made);
        }
        if (now.isAfter(last)) {
            try (Connection connection = database.getConnection()) {
                // If another one was quicker, so much the better.
                var _ = move(connection, last, now);
            }
        }
        return new BeatOutcome(now, Optional.empty());
    }

    private Instant last() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select at from pulse")) {
            row.next();
            return Sql.instant(row, 1);
        }
    }

    private static boolean move(Connection connection, Instant last, Instant now) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("update pulse set at = ? where at = ?")) {
            update.setObject(1, Sql.time(now));
            update.setObject(2, Sql.time(last));
            return update.executeUpdate() == 1;
        }
    }

    /**
     * Prolongs the leases that were held when the pause began by its length, but not beyond the end of a lease that was
     * renewed now. If the clock went back, all leases go back with it.
     */
    private static int shift(Connection connection, Instant last, Instant now) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            // Batches of heartbeats lock rows in another order.
            statement.execute("lock table heartbeat in share row exclusive mode");
        }
        int leases;
        try (PreparedStatement update = connection.prepareStatement("""
                update heartbeat set ends_at = least(ends_at + (? - ?), ?) where ends_at > ? or ?""")) {
            update.setObject(1, Sql.time(now));
            update.setObject(2, Sql.time(last));
            update.setObject(3, Sql.time(now.plus(Rules.LEASE)));
            update.setObject(4, Sql.time(last));
            update.setBoolean(5, now.isBefore(last));
            leases = update.executeUpdate();
        }
        try (PreparedStatement update = connection.prepareStatement("update pulse set evicted_at = ?")) {
            update.setObject(1, Sql.time(now));
            update.executeUpdate();
        }
        return leases;
    }
}
