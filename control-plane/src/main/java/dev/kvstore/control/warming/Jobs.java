package dev.kvstore.control.warming;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Warmings, in the database; part of the transaction of whoever asks, if there is one. Thread-safe. */
final class Jobs {
    /** What is over for so long is forgotten. */
    static final Duration KEPT = Duration.ofDays(30);

    /** Between two rounds, also if one takes longer than it may. */
    private static final Duration LEAST_REST = Duration.ofSeconds(5);

    /** In the order of the fields of {@link Warming}. */
    private static final String COLUMNS = """
            id, resource_name, tenant, source, target, selection, bytes_per_second, requests_per_second, preheat, state, flaw,
            planned, listing, every_seconds, planned_at, plan_after, caught_up_at, blocks, bytes, copied, copied_bytes, present, present_bytes, failed, failed_bytes, created_at,
            started_at, ended_at, version""";

    private final DataSource database;

    Jobs(DataSource database) {
        this.database = database;
    }

    void insert(Warming job) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement insert = connection.prepareStatement("""
                        insert into warming (id, resource_name, tenant, source, target, selection, bytes_per_second,
                            requests_per_second, preheat, state, listing, created_at, every_seconds)
                        values (?, ?, ?, ?, ?, cast(? as jsonb), ?, ?, ?, ?, ?, ?, ?)""")) {
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
            insert.setObject(12, job.createdAt().atOffset(ZoneOffset.UTC));
            Duration every = job.every();
            insert.setObject(13, every == null ? null : every.toSeconds(), Types.BIGINT);
            insert.executeUpdate();
        }
    }

    Optional<Warming> find(String id) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return find(connection, id, "");
        }
    }

    /** The same, and keeps all others from changing it until the transaction ends. */
    Optional<Warming> lock(String id) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return find(connection, id, " for update");
        }
    }

    static Optional<Warming> find(Connection connection, String id, String lock) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("select " + COLUMNS + " from warming where id = ?" + lock)) {
            select.setString(1, id);
            try (ResultSet row = select.executeQuery()) {
                return row.next() ? Optional.of(read(row)) : Optional.empty();
            }
        }
    }

    /**
     * Which warmings; null for any.
     *
     * @param tenant whose
     */
    record Query(
            @Nullable String tenant,
            @Nullable String resourceName,
            @Nullable WarmingState state) {}

    /** The latest first. */
    List<Warming> page(Query query, String before, int limit) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement("select " + COLUMNS + """
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
            return all(select);
        }
    }

    /** Of an account, from a region to another, the latest first. */
    static List<Warming> between(Connection connection, String resourceName, String from, String to)
            throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("select " + COLUMNS
                + " from warming where resource_name = ? and source = ? and target = ? order by id desc")) {
            select.setString(1, resourceName);
            select.setString(2, from);
            select.setString(3, to);
            return all(select);
        }
    }

    private static List<Warming> all(PreparedStatement select) throws SQLException {
        List<Warming> found = new ArrayList<>();
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                found.add(read(row));
            }
        }
        return found;
    }

    /** Of an account, those that are not over. */
    int open(String resourceName) throws SQLException {
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

    /** Puts one that an admin has locked into another state. */
    void move(String id, WarmingState state, Instant now) throws SQLException {
        try (Connection connection = database.getConnection()) {
            move(connection, id, state, null, now);
        }
    }

    /** @param flaw null to leave it as it is */
    static void move(Connection connection, String id, WarmingState state, @Nullable String flaw, Instant now)
            throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("""
                update warming set state = ?, flaw = coalesce(?, flaw), version = version + 1,
                    started_at = case when ? = 'RUNNING' then coalesce(started_at, ?) else started_at end,
                    ended_at = case when ? then ? else ended_at end
                where id = ?""")) {
            update.setString(1, state.name());
            update.setString(2, flaw);
            update.setString(3, state.name());
            update.setObject(4, now.atOffset(ZoneOffset.UTC));
            update.setBoolean(5, state.isOver());
            update.setObject(6, now.atOffset(ZoneOffset.UTC));
            update.setString(7, id);
            update.executeUpdate();
        }
    }

    /**
     * Ends a round, well or not: of a warming that is planned anew now and then that is not the end.
     *
     * @param flaw why it could not be carried out; null if it was
     */
    static WarmingState endRound(
            Connection connection, Warming job, WarmingState end, @Nullable String flaw, Instant now)
            throws SQLException {
        if (job.every() == null) {
            move(connection, job.id(), end, flaw, now);
            return end;
        }
        try (PreparedStatement update = connection.prepareStatement("""
                update warming set state = 'WAITING', flaw = ?, version = version + 1, planned = false,
                    caught_up_at = case when ? then planned_at else caught_up_at end,
                    plan_after = greatest(planned_at + make_interval(secs => every_seconds), ?)
                where id = ?""")) {
            update.setString(1, flaw);
            update.setBoolean(2, flaw == null);
            update.setObject(3, now.plus(LEAST_REST).atOffset(ZoneOffset.UTC));
            update.setString(4, job.id());
            update.executeUpdate();
        }
        return WarmingState.WAITING;
    }

    /** What its processes say of now. */
    record Pace(long bytesPerSecond, String waiting) {}

    Pace pace(String id) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement("""
                        select coalesce(sum(bytes_per_second), 0), coalesce(max(waiting), '') from warming_chunk
                        where warming = ? and not done and claimed_until > now()""")) {
            select.setString(1, id);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return new Pace(row.getLong(1), row.getString(2));
            }
        }
    }

    /** Whether anything is to be done in any region: a look at an index that is almost always empty. */
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

    void forget(Instant now) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement delete = connection.prepareStatement("delete from warming where ended_at < ?")) {
            delete.setObject(1, now.minus(KEPT).atOffset(ZoneOffset.UTC));
            delete.executeUpdate();
        }
    }

    private static Warming read(ResultSet row) throws SQLException {
        return new Warming(
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                new Warming.Budget(row.getLong(7), row.getInt(8)),
                Preheat.valueOf(row.getString(9)),
                WarmingState.valueOf(row.getString(10)),
                row.getString(11),
                row.getBoolean(12),
                row.getBoolean(13),
                seconds(row, 14),
                instant(row, 15),
                instant(row, 16),
                instant(row, 17),
                new Warming.Tally(count(row, 18), count(row, 20), count(row, 22), count(row, 24)),
                row.getTimestamp(26).toInstant(),
                instant(row, 27),
                instant(row, 28),
                row.getLong(29));
    }

    private static @Nullable Duration seconds(ResultSet row, int column) throws SQLException {
        long seconds = row.getLong(column);
        return row.wasNull() ? null : Duration.ofSeconds(seconds);
    }

    private static Warming.Count count(ResultSet row, int column) throws SQLException {
        return new Warming.Count(row.getLong(column), row.getLong(column + 1));
    }

    private static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
        Timestamp time = row.getTimestamp(column);
        return time == null ? null : time.toInstant();
    }
}
