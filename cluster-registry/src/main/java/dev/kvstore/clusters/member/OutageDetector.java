package dev.kvstore.clusters.member;

import dev.kvstore.admin.database.Sql;
import dev.kvstore.admin.database.Transactions;
import dev.kvstore.clusters.fleet.Rules;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Notices that for a while no lease could be renewed, since no control plane ran or reached the database, or since the
 * database's clock was set; then prolongs leases by that time. The first control plane that notices does so, and the
 * others see its work. Thread-safe.
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

    /** The time by which leases are to be moved; empty if the last beat is neither too long ago nor in the future. */
    static Optional<Duration> pause(Instant last, Instant now) {
        Duration since = Duration.between(last, now);
        return since.abs().compareTo(Rules.PAUSE) > 0 ? Optional.of(since) : Optional.empty();
    }

    /** The pause for which a beat compensated. */
    public record LeaseCompensation(Duration pause, int leases) {}

    /**
     * The outcome of a beat.
     *
     * @param at the time by which leases are to be judged: no process has lost its lease for lack of a control plane
     *     that renews it
     * @param made the pause for which this control plane compensated; empty in most cases
     */
    public record BeatOutcome(Instant at, Optional<LeaseCompensation> made) {}

    /**
     * Notes that leases can be renewed now. Leases that are read afterwards are prolonged up to the returned moment,
     * and no further, since this process may be stopped right after the beat.
     *
     * @throws SQLException if the database does not answer
     */
    public BeatOutcome beat() throws SQLException {
        Instant last = last();
        Instant now = clock.instant();
        Optional<Duration> pause = pause(last, now);
        if (pause.isPresent()) {
            Optional<LeaseCompensation> made = Transactions.run(
                    database,
                    connection -> move(connection, last, now)
                            ? Optional.of(new LeaseCompensation(pause.get(), shift(connection, last, now)))
                            : Optional.empty());
            return new BeatOutcome(now, made);
        }
        if (now.isAfter(last)) {
            try (Connection connection = database.getConnection()) {
                // Another control plane may have been faster, which is as good.
                var _ = move(connection, last, now);
            }
        }
        return new BeatOutcome(now, Optional.empty());
    }

    private Instant last() throws SQLException {
        return Sql.on(database, "select at from pulse").only(Instant.class);
    }

    private static boolean move(Connection connection, Instant last, Instant now) throws SQLException {
        return Sql.on(connection, "update pulse set at = :now where at = :last")
                        .with("now", now)
                        .with("last", last)
                        .run()
                == 1;
    }

    /**
     * Prolongs the leases that were held when the pause began by its length, but not beyond the end of a lease that was
     * renewed now. If the clock went back, all leases go back with it.
     */
    private static int shift(Connection connection, Instant last, Instant now) throws SQLException {
        // The lock of the table comes first, since batches of heartbeats lock rows in another order.
        var _ = Sql.on(connection, "lock table heartbeat in share row exclusive mode")
                .run();
        int leases = Sql.on(connection, """
                        update heartbeat set ends_at = least(ends_at + (:now - :last), :end)
                        where ends_at > :last or :isBack""")
                .with("now", now)
                .with("last", last)
                .with("end", now.plus(Rules.LEASE))
                .with("isBack", now.isBefore(last))
                .run();
        var _ = Sql.on(connection, "update pulse set evicted_at = :now")
                .with("now", now)
                .run();
        return leases;
    }
}
