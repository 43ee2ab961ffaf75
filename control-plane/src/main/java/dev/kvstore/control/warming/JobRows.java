package dev.kvstore.control.warming;

import dev.kvstore.admin.database.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads warmings from rows. Stateless. */
final class JobRows {
    static final String SELECT = """
            select id, resource_name, tenant, source, target, selection, bytes_per_second, requests_per_second, preheat, state,
            paused_in, flaw, planned, listing, every_seconds, planned_at, plan_after, caught_up_at, blocks, bytes, copied,
            copied_bytes, present, present_bytes, failed, failed_bytes, created_at, started_at, ended_at, version from warming\s""";

    private JobRows() {}

    /** @param more conditions of the row, and how it is locked */
    static Optional<Warming> find(Connection connection, String id, String more) throws SQLException {
        return Sql.on(connection, SELECT + "where id = :id " + more)
                .with("id", id)
                .first(JobRows::read);
    }

    /** A row of {@link #SELECT}. */
    static Warming read(ResultSet row) throws SQLException {
        String pausedIn = row.getString("paused_in");
        return new Warming(
                row.getString("id"),
                row.getString("resource_name"),
                row.getString("tenant"),
                row.getString("source"),
                row.getString("target"),
                row.getString("selection"),
                Sql.record(row, Warming.Budget.class),
                Preheat.valueOf(row.getString("preheat")),
                WarmingState.valueOf(row.getString("state")),
                pausedIn == null ? null : WarmingState.valueOf(pausedIn),
                row.getString("flaw"),
                row.getBoolean("planned"),
                row.getBoolean("listing"),
                seconds(row, "every_seconds"),
                Sql.instant(row, "planned_at"),
                Sql.instant(row, "plan_after"),
                Sql.instant(row, "caught_up_at"),
                new Warming.WarmingTally(
                        Sql.record(row, Warming.WarmingCount.class),
                        count(row, "copied"),
                        count(row, "present"),
                        count(row, "failed")),
                Sql.time(row, "created_at"),
                Sql.instant(row, "started_at"),
                Sql.instant(row, "ended_at"),
                row.getLong("version"));
    }

    private static @Nullable Duration seconds(ResultSet row, String column) throws SQLException {
        long seconds = row.getLong(column);
        return row.wasNull() ? null : Duration.ofSeconds(seconds);
    }

    private static Warming.WarmingCount count(ResultSet row, String outcome) throws SQLException {
        return new Warming.WarmingCount(row.getLong(outcome), row.getLong(outcome + "_bytes"));
    }
}
