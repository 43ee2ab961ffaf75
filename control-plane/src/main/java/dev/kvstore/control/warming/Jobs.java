package dev.kvstore.control.warming;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Warmings in the database. Methods join the caller's transaction, if there is one. Thread-safe. */
public final class Jobs {
    /** The time for which a warming is kept after its end. */
    static final Duration KEPT = Duration.ofDays(30);

    private final DataSource database;

    Jobs(DataSource database) {
        this.database = database;
    }

    /** Inserts a warming and returns it with the database's times. */
    public Warming insert(Warming job) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement insert = connection.prepareStatement("""
                        insert into warming (id, resource_name, tenant, source, target, selection, bytes_per_second,
                            requests_per_second, preheat, state, listing, created_at, every_seconds)
                        values (?, ?, ?, ?, ?, cast(? as jsonb), ?, ?, ?, ?, ?, now(), ?)""")) {
            insert.setString(1, job.id());
            insert.setString(2, job.resourceName());
            insert.setString(3, job.tenant());
            insert.setString(4, job.source());
            insert.setString(5, job.target());
            insert.setString(6, job.selection());
            insert.setLong(7, job.budget().bytesPerSecond());
            insert.setInt(8, job.budget().requestsPerSecond());
            insert.setString(9, job.preheat().name());
            insert.setString(10, job.state().name());
            insert.setBoolean(11, job.listing());
            Duration every = job.every();
            insert.setObject(12, every == null ? null : every.toSeconds(), Types.BIGINT);
            insert.executeUpdate();
            return JobRows.find(connection, job.id(), "").orElseThrow();
        }
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

    /**
     * The warmings to find; null for any.
     *
     * @param tenant the owner
     */
    public record WarmingQuery(
            @Nullable String tenant,
            @Nullable String resourceName,
            @Nullable WarmingState state) {}

    /** A page of warmings, the latest first. */
    public List<Warming> page(WarmingQuery query, String before, int limit) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement("select " + JobRows.COLUMNS + """
                         from warming where (? = '' or id < ?) and (cast(? as text) is null or tenant = ?)
                        and (cast(? as text) is null or resource_name = ?) and (cast(? as text) is null or state = ?)
                        order by id desc limit ?""")) {
            select.setString(1, before);
            select.setString(2, before);
            select.setString(3, query.tenant());
            select.setString(4, query.tenant());
            select.setString(5, query.resourceName());
            select.setString(6, query.resourceName());
            select.setString(7, query.state() == null ? null : query.state().name());
            select.setString(8, query.state() == null ? null : query.state().name());
            select.setInt(9, limit);
            return JobRows.all(select);
        }
    }

    /** The warmings of an account from one region to another, the latest first. */
    static List<Warming> between(Connection connection, String resourceName, String from, String to)
            throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("select " + JobRows.COLUMNS
                + " from warming where resource_name = ? and source = ? and target = ? order by id desc")) {
            select.setString(1, resourceName);
            select.setString(2, from);
            select.setString(3, to);
            return JobRows.all(select);
        }
    }

    /** The warmings of an account that are not over. */
    public int open(String resourceName) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement count = connection.prepareStatement("""
                        select count(*) from warming where resource_name = ?
                        and state in ('PLANNING', 'RUNNING', 'WAITING', 'PAUSED')""")) {
            count.setString(1, resourceName);
            try (ResultSet row = count.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    /** The warmings of all accounts of a tenant that are not over. */
    public int openOfTenant(String tenant) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement count = connection.prepareStatement("""
                        select count(*) from warming where tenant = ?
                        and state in ('PLANNING', 'RUNNING', 'WAITING', 'PAUSED')""")) {
            count.setString(1, tenant);
            try (ResultSet row = count.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    /** The ids of the warmings of an account that are not over. */
    public List<String> openOf(String resourceName) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement("""
                        select id from warming where resource_name = ?
                        and state in ('PLANNING', 'RUNNING', 'WAITING', 'PAUSED') order by id""")) {
            select.setString(1, resourceName);
            List<String> ids = new ArrayList<>();
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    ids.add(row.getString(1));
                }
            }
            return ids;
        }
    }

    /** The present pace of a warming, as its processes report it. */
    public record WarmingPace(long bytesPerSecond, String waiting) {}

    /** The paces of some warmings, by their ids; a warming on which no process works has none. */
    public Map<String, WarmingPace> paces(Collection<String> ids) throws SQLException {
        Map<String, WarmingPace> paces = new HashMap<>();
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement("""
                        select warming, coalesce(sum(bytes_per_second), 0), coalesce(max(waiting), '')
                        from warming_chunk
                        where warming = any(?) and not done and claimed_until > now() group by warming""")) {
            select.setArray(1, connection.createArrayOf("text", ids.toArray()));
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    paces.put(row.getString(1), new WarmingPace(row.getLong(2), row.getString(3)));
                }
            }
        }
        return paces;
    }

    /** Whether there is no work in any region: a look at an index that is almost always empty. */
    boolean isIdle() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement(
                        "select not exists (select from warming where state in ('PLANNING', 'RUNNING')"
                                + " or (state = 'WAITING' and plan_after <= now()))");
                ResultSet row = select.executeQuery()) {
            row.next();
            return row.getBoolean(1);
        }
    }

    void forget() throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement delete = connection.prepareStatement(
                        "delete from warming where ended_at < now() - make_interval(secs => ?)")) {
            delete.setDouble(1, (double) KEPT.toSeconds());
            delete.executeUpdate();
        }
    }
}
