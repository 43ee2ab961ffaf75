package dev.kvstore.control.purge;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.kvstore.admin.database.Sql;
import dev.kvstore.clusters.member.FleetReader;
import java.sql.Connection;
import java.sql.SQLException;
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
        List<String> names = new ArrayList<>();
        int[] count = {0};
        Sql.on(connection, """
                        select l.cluster || '/' || l.process as name, count(*) over () as count
                        from lease l join heartbeat h on h.lease = l.id left join purge_follower f on f.lease = l.id
                        where h.ends_at > :now and coalesce(f.done, -1) < :version order by name limit :limit""")
                .with("now", now)
                .with("version", job.version())
                .with("limit", limit)
                .each(row -> {
                    names.add(row.getString("name"));
                    count[0] = row.getInt("count");
                });
        return new Unconfirmed(names, count[0]);
    }

    /**
     * Notes that a control plane looks at the purges now. Data planes could not confirm purges while no control plane
     * looked.
     */
    static void look(Connection connection) throws SQLException {
        var _ = Sql.on(connection, """
                        update purge set looked_at = now(), step_at = step_at + case
                            when looked_at < now() - make_interval(secs => :look) then now() - looked_at
                            else interval '0' end
                        where ended_at is null and state in ('TELLING', 'FORGETTING')""").with("look", LOOK).run();
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

    /**
     * The data planes that have not confirmed a purge.
     *
     * @param routed the number of those that may be in routes
     * @param fresh the number of those for which the purge waits
     * @param left whether all were taken out of routes; null if there are none
     * @param away whether no control plane routes to them any more; null if they were not taken out of routes
     */
    private record LateDataPlanes(
            long routed,
            long fresh,
            @Nullable Boolean left,
            @Nullable Boolean away) {
        PurgeTurn turn() {
            if (routed == 0) {
                return PurgeTurn.GOES_ON;
            }
            if (fresh > 0) {
                return PurgeTurn.WAITS;
            }
            if (!Boolean.TRUE.equals(left)) {
                return PurgeTurn.LEAVES;
            }
            return Boolean.TRUE.equals(away) ? PurgeTurn.GOES_ON : PurgeTurn.WAITS;
        }
    }

    static PurgeTurn turn(Connection connection, PurgeJob job, Instant now) throws SQLException {
        return Sql.on(connection, """
                        select count(*) filter (where h.ends_at > :now) as routed,
                            count(*) filter (where h.ends_at > :now and now() < make_interval(secs => :wait)
                                + greatest(p.step_at, least(l.joined_at, p.step_at + make_interval(secs => :wait)))) as fresh,
                            bool_and(p.left_version is not distinct from p.version) as left,
                            bool_and(p.left_at <= now() - make_interval(secs => :routes)) as away
                        from purge p cross join lease l join heartbeat h on h.lease = l.id
                        left join purge_follower f on f.lease = l.id
                        where p.id = :id and coalesce(f.done, -1) < p.version""")
                // A data plane whose lease has just ended is in routes until all control planes have read that it
                // ended.
                .with("now", now.minus(ROUTES))
                .with("wait", WAIT)
                .with("routes", ROUTES)
                .with("id", job.id())
                .only(LateDataPlanes.class)
                .turn();
    }

    /**
     * Takes each data plane out of all routes until it has confirmed the present state of a purge. This holds also for
     * a data plane whose lease has ended, and for one that joins later.
     */
    static void leave(Connection connection, PurgeJob job) throws SQLException {
        var _ = Sql.on(connection, "update purge set left_version = version, left_at = now() where id = :id")
                .with("id", job.id())
                .run();
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
        var _ = Sql.on(database, """
                        insert into purge_follower as f (lease, done) values (:lease, :version)
                        on conflict (lease) do update set done = excluded.done where f.done < excluded.done""")
                .with("lease", lease)
                .with("version", version)
                .run();
        confirmed.put(lease, version);
    }

    /**
     * The leases of data planes that were taken out of routes because of a purge and have not confirmed it, as long as
     * the purge is kept.
     */
    @Override
    public Set<String> in(Connection connection) throws SQLException {
        return new HashSet<>(Sql.on(connection, """
                        select l.id::text from lease l left join purge_follower f on f.lease = l.id
                        where coalesce(f.done, -1) < (select max(left_version) from purge
                            where left_version is not null and state <> 'CANCELLED')""").list(String.class));
    }
}
