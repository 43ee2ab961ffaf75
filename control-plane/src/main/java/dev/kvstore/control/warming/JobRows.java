package dev.kvstore.control.warming;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads warmings from rows. Stateless. */
final class JobRows {
    /** The columns, in the order of the fields of {@link Warming}. */
    static final String COLUMNS = """
            id, resource_name, tenant, source, target, selection, bytes_per_second, requests_per_second, preheat, state,
            paused_in, flaw, planned, listing, every_seconds, planned_at, plan_after, caught_up_at, blocks, bytes, copied,
            copied_bytes, present, present_bytes, failed, failed_bytes, created_at, started_at, ended_at, version""";

    private JobRows() {}

    /** @param more conditions of the row, and how it is locked */
    static Optional<Warming> find(Connection connection, String id, String more) throws SQLException {
        try (PreparedStatement select =
                connection.prepareStatement("select " + COLUMNS + " from warming where id = ? " + more)) {
            select.setString(1, id);
            return all(select).stream().findFirst();
        }
    }

    /** The warmings that a statement selects by {@link #COLUMNS}. */
    static List<Warming> all(PreparedStatement select) throws SQLException {
        List<Warming> found = new ArrayList<>();
        try (ResultSet row = select.executeQuery()) {
            while (row.next()) {
                found.add(read(row));
            }
        }
        return found;
    }

    private static Warming read(ResultSet row) throws SQLException {
        String pausedIn = row.getString(11);
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
                pausedIn == null ? null : WarmingState.valueOf(pausedIn),
                row.getString(12),
                row.getBoolean(13),
                row.getBoolean(14),
                seconds(row, 15),
                instant(row, 16),
                instant(row, 17),
                instant(row, 18),
                new Warming.WarmingTally(count(row, 19), count(row, 21), count(row, 23), count(row, 25)),
                row.getTimestamp(27).toInstant(),
                instant(row, 28),
                instant(row, 29),
                row.getLong(30));
    }

    private static @Nullable Duration seconds(ResultSet row, int column) throws SQLException {
        long seconds = row.getLong(column);
        return row.wasNull() ? null : Duration.ofSeconds(seconds);
    }

    private static Warming.WarmingCount count(ResultSet row, int column) throws SQLException {
        return new Warming.WarmingCount(row.getLong(column), row.getLong(column + 1));
    }

    private static @Nullable Instant instant(ResultSet row, int column) throws SQLException {
        Timestamp time = row.getTimestamp(column);
        return time == null ? null : time.toInstant();
    }
}
