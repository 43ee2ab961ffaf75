package dev.kvstore.control.warming;

import dev.kvstore.admin.database.Sql;
import dev.kvstore.control.job.JobTable;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** Warmings in the database. Methods join the caller's transaction, if there is one. Thread-safe. */
@Singleton
public final class Jobs extends JobTable {
    /** The time for which a warming is kept after its end. */
    static final Duration KEPT = Duration.ofDays(30);

    Jobs(DataSource database) {
        super(database, "warming", "state in ('PLANNING', 'RUNNING', 'WAITING', 'PAUSED')", KEPT);
    }

    /** Inserts a warming and returns it with the database's times. */
    public Warming insert(Warming job) throws SQLException {
        Duration every = job.every();
        var _ = Sql.on(database, """
                        insert into warming (id, resource_name, tenant, source, target, selection, bytes_per_second,
                            requests_per_second, preheat, state, listing, created_at, every_seconds)
                        values (:id, :resourceName, :tenant, :source, :target, cast(:selection as jsonb), :bytesPerSecond,
                            :requestsPerSecond, :preheat, :state, :listing, now(), :everySeconds)""")
                .with(job)
                .with(job.budget())
                .with("everySeconds", every == null ? null : every.toSeconds())
                .run();
        return find(job.id()).orElseThrow();
    }

    public Optional<Warming> find(String id) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return JobRows.find(connection, id, "");
        }
    }

    /** A warming before and after a command; the same object twice if there was nothing to do. */
    public record Obeyed(Warming before, Warming after, boolean possible) {}

    /** Carries out an admin's command on a warming. Returns empty if there is no such warming. */
    public Optional<Obeyed> obey(String id, Command command) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return obey(connection, id, command);
        }
    }

    public static Optional<Obeyed> obey(Connection connection, String id, Command command) throws SQLException {
        Optional<LockedWarming> locked = LockedWarming.of(connection, id);
        if (locked.isEmpty()) {
            return Optional.empty();
        }
        Warming before = locked.get().job();
        boolean possible = locked.get().obey(command);
        return Optional.of(new Obeyed(before, locked.get().job(), possible));
    }

    /** A page of warmings, the latest first. */
    public List<Warming> page(JobQuery query, String before, int limit) throws SQLException {
        return query.page(Sql.on(database, JobRows.SELECT + PAGE), before, limit)
                .list(JobRows::read);
    }

    /** The warmings of an account from one region to another, the latest first. */
    static List<Warming> between(DataSource database, String resourceName, String from, String to) throws SQLException {
        return Sql.on(database, JobRows.SELECT + """
                        where resource_name = :resourceName and source = :source and target = :target order by id desc""")
                .with("resourceName", resourceName)
                .with("source", from)
                .with("target", to)
                .list(JobRows::read);
    }

    /** The present pace of a warming, as its processes report it. */
    public record WarmingPace(long bytesPerSecond, String waiting) {}

    /** The paces of some warmings, by their ids; a warming on which no process works has none. */
    public Map<String, WarmingPace> paces(Collection<String> ids) throws SQLException {
        Map<String, WarmingPace> paces = new HashMap<>();
        Sql.on(database, """
                        select warming, coalesce(sum(bytes_per_second), 0) as bytes_per_second,
                            coalesce(max(waiting), '') as waiting
                        from warming_chunk
                        where warming = any(:ids) and not done and claimed_until > now() group by warming""")
                .array("ids", "text", ids)
                .each(row -> paces.put(row.getString("warming"), Sql.record(row, WarmingPace.class)));
        return paces;
    }

    /** Whether there is no work in any region: a look at an index that is almost always empty. */
    boolean isIdle() throws SQLException {
        return Sql.on(database, """
                        select not exists (select from warming where state in ('PLANNING', 'RUNNING')
                            or (state = 'WAITING' and plan_after <= now()))""").only(Boolean.class);
    }
}
