package dev.kvstore.control.purge;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.kvstore.clusters.member.FleetReader;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Keeps in the database which data planes have confirmed purges. A purge waits for each data plane for a bounded time.
 * A data plane that has not confirmed the purge by then is in no route until it has. The same holds for a data plane
 * that comes back or joins later: it may have purged blocks in memory. Thread-safe.
 */
final class PurgeConfirmations implements FleetReader.WithheldLeases {
    /**
     * The longest wait for a data plane, from when the purge reached its present state or, if that was later, from when
     * the data plane joined. A data plane that joins after this time is not waited for, so a purge waits for no more
     * than twice this time. A healthy data plane confirms within 10 s.
     */
    static final Duration WAIT = Duration.ofSeconds(60);

    /**
     * The time from when a data plane left the routes of the database to when a purge goes on. Control planes read the
     * database once a second, so by then no control plane routes to that data plane. A data plane leaves when it has
     * not confirmed the purge in time, and when its lease ends.
     */
    static final Duration ROUTES = Duration.ofSeconds(5);

    /** The longest pause between two looks of a control plane at all purges after which it still counts as running. */
    private static final Duration LOOK = Duration.ofSeconds(5);

    /** The most leases whose confirmations are remembered; other data planes confirm once more. */
    private static final int MOST_REMEMBERED = 10_000;

    private final DataSource database;
    private final Cache<UUID, Long> confirmed =
            Caffeine.newBuilder().maximumSize(MOST_REMEMBERED).build();

    PurgeConfirmations(DataSource database) {
        this.database = database;
    }

    /**
     * Data planes with leases that have not confirmed the present state of a purge.
     *
     * @param names the first of them, each as {@code cluster/process}
     * @param count the number of all of them
     */
    record Unconfirmed(List<String> names, int count) {
        /**
         * The text for a caller about the data planes; null if there are none.
         *
         * @param named whether the caller may know their names
         */
        @Nullable
        String text(boolean named) {
            if (count == 0) {
                return null;
            }
            if (!named) {
                return "for " + count + (count == 1 ? " data plane" : " data planes");
            }
            String more = count > names.size() ? " and " + (count - names.size()) + " more" : "";
            return "for data planes: " + String.join(", ", names) + more;
        }
    }

    Unconfirmed unconfirmed(PurgeJob job, Instant now, int limit) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return unconfirmed(connection, job, now, limit);
        }
    }

    static Unconfirmed unconfirmed(Connection connection, PurgeJob job, Instant now, int limit) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("""
                select l.cluster || '/' || l.process, count(*) over ()
                from lease l join heartbeat h on h.lease = l.id left join purge_follower f on f.lease = l.id
                where h.ends_at > ? and coalesce(f.done, -1) < ? order by 1 limit ?""")) {
            select.setTimestamp(1, Timestamp.from(now));
            select.setLong(2, job.version());
            select.setInt(3, limit);
            List<String> names = new ArrayList<>();
            int count = 0;
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    names.add(row.getString(1));
                    count = row.getInt(2);
                }
            }
            return new Unconfirmed(names, count);
        }
    }

    /**
     * Notes that a control plane looks at the purges now. Data planes could not confirm purges while no control plane
     * looked.
     */
    static void look(Connection connection) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("""
                update purge set looked_at = now(), step_at = step_at + case
                    when looked_at < now() - make_interval(secs => ?) then now() - looked_at else interval '0' end
                where ended_at is null and state in ('TELLING', 'FORGETTING')""")) {
            update.setDouble(1, (double) LOOK.toSeconds());
            update.executeUpdate();
        }
    }

    /** The next step of a purge. */
    enum PurgeTurn {
        /** The purge waits. */
        WAITS,
        /** The purge waits, and the data planes that have not confirmed it leave all routes now. */
        LEAVES,
        /** The purge goes on. */
        GOES_ON
    }

    static PurgeTurn turn(Connection connection, PurgeJob job, Instant now) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("""
                select count(*) filter (where h.ends_at > ?),
                    count(*) filter (where h.ends_at > ? and now() < make_interval(secs => ?)
                        + greatest(p.step_at, least(l.joined_at, p.step_at + make_interval(secs => ?)))),
                    bool_and(p.left_version is not distinct from p.version),
                    bool_and(p.left_at <= now() - make_interval(secs => ?))
                from purge p cross join lease l join heartbeat h on h.lease = l.id
                left join purge_follower f on f.lease = l.id
                where p.id = ? and coalesce(f.done, -1) < p.version""")) {
            // A data plane whose lease has just ended is in routes until all control planes have read that it ended.
            select.setTimestamp(1, Timestamp.from(now.minus(ROUTES)));
            select.setTimestamp(2, Timestamp.from(now.minus(ROUTES)));
            select.setDouble(3, (double) WAIT.toSeconds());
            select.setDouble(4, (double) WAIT.toSeconds());
            select.setDouble(5, (double) ROUTES.toSeconds());
            select.setString(6, job.id());
            try (ResultSet row = select.executeQuery()) {
                row.next();
                if (row.getInt(1) == 0) {
                    return PurgeTurn.GOES_ON;
                }
                if (row.getInt(2) > 0) {
                    return PurgeTurn.WAITS;
                }
                if (!row.getBoolean(3)) {
                    return PurgeTurn.LEAVES;
                }
                return row.getBoolean(4) ? PurgeTurn.GOES_ON : PurgeTurn.WAITS;
            }
        }
    }

    /**
     * Takes each data plane out of all routes until it has confirmed the present state of a purge. This holds also for
     * a data plane whose lease has ended, and for one that joins later.
     */
    static void leave(Connection connection, PurgeJob job) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("update purge set left_version = version, left_at = now() where id = ?")) {
            update.setString(1, job.id());
            update.executeUpdate();
        }
    }

    /** Whether this control plane knows that a data plane has confirmed all purges up to a version. */
    boolean isConfirmed(String lease, long version) {
        try {
            Long known = confirmed.getIfPresent(UUID.fromString(lease));
            return known != null && known >= version;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Notes that a data plane has confirmed all purges up to a version. */
    void confirm(UUID lease, long version) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement upsert = connection.prepareStatement("""
                        insert into purge_follower as f (lease, done) values (?, ?)
                        on conflict (lease) do update set done = excluded.done where f.done < excluded.done""")) {
            upsert.setObject(1, lease);
            upsert.setLong(2, version);
            upsert.executeUpdate();
            confirmed.put(lease, version);
        }
    }

    /**
     * The leases of data planes that were taken out of routes because of a purge and have not confirmed it, as long as
     * the purge is kept.
     */
    @Override
    public Set<String> in(Connection connection) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("""
                        select l.id::text from lease l left join purge_follower f on f.lease = l.id
                        where coalesce(f.done, -1) < (select max(left_version) from purge
                            where left_version is not null and state <> 'CANCELLED')""");
                ResultSet row = select.executeQuery()) {
            Set<String> leases = new HashSet<>();
            while (row.next()) {
                leases.add(row.getString(1));
            }
            return leases;
        }
    }
}
