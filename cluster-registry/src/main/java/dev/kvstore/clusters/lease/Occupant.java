package dev.kvstore.clusters.lease;

import dev.kvstore.admin.database.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The process that is registered already under a name or at an address. Immutable.
 *
 * @param address null if another process has taken it
 * @param declared whether an operator registered the process
 * @param held the lease with which it joined; null if it never joined, or has left
 */
record Occupant(
        String cluster,
        String name,
        @Nullable String address,
        boolean declared,
        @Nullable HeldLease held) {
    /** A lease, which may have ended. */
    record HeldLease(UUID lease, String instance, Instant end) {}

    /** A row of processes, with the columns of their leases. */
    static Occupant of(ResultSet row) throws SQLException {
        String instance = row.getString("instance");
        Instant end = Sql.instant(row, "ends_at");
        return new Occupant(
                row.getString("cluster"),
                row.getString("name"),
                row.getString("address"),
                row.getBoolean("declared"),
                instance == null || end == null ? null : new HeldLease(row.getObject("id", UUID.class), instance, end));
    }

    boolean lives(Instant now) {
        return held != null && now.isBefore(held.end());
    }

    @Override
    public String toString() {
        return cluster + "/" + name;
    }
}
