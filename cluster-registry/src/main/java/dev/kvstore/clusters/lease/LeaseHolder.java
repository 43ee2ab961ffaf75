package dev.kvstore.clusters.lease;

import dev.kvstore.admin.database.Sql;
import java.sql.Connection;
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
        return Sql.on(connection, """
                        select l.id as lease, c.region, l.cluster, l.process
                        from lease l join cluster c on c.name = l.cluster where l.id = :lease""").with("lease", lease).first(LeaseHolder.class);
    }
}
