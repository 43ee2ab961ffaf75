package dev.kvstore.clusters.lease;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/**
 * A process that has a lease. Immutable.
 *
 * @param region the region of its cluster
 */
public record LeaseHolder(UUID lease, String region, String cluster, String process) {
    /** Whether a scope covers the process. */
    public boolean isIn(ProcessScope scope) {
        return scope.covers(cluster, process);
    }

    public static Optional<LeaseHolder> find(Connection connection, UUID lease) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("""
                select c.region, l.cluster, l.process from lease l join cluster c on c.name = l.cluster where l.id = ?""")) {
            select.setObject(1, lease);
            try (ResultSet row = select.executeQuery()) {
                return row.next()
                        ? Optional.of(new LeaseHolder(lease, row.getString(1), row.getString(2), row.getString(3)))
                        : Optional.empty();
            }
        }
    }
}
