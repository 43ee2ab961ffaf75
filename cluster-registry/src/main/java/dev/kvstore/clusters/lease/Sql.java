package dev.kvstore.clusters.lease;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import javax.sql.DataSource;

/** The JDBC code that all classes of this package share. Stateless. */
public final class Sql {
    private Sql() {}

    /** The work of a transaction. */
    @FunctionalInterface
    public interface SqlWork<T> {
        T run(Connection connection) throws SQLException;
    }

    /** Runs the work in a transaction: wholly or not at all. */
    public static <T> T inTransaction(DataSource database, SqlWork<T> work) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try {
                T result = work.run(connection);
                connection.commit();
                return result;
            } catch (SQLException | RuntimeException e) {
                rollBack(connection);
                throw e;
            }
        }
    }

    /** Rolls back. The exception that made this necessary is being thrown already, so a failure here is ignored. */
    private static void rollBack(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            System.getLogger(Sql.class.getName())
                    .log(System.Logger.Level.DEBUG, "the connection is gone, and its transaction with it", e);
        }
    }

    public static OffsetDateTime time(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    /** A time that is not null. */
    public static Instant instant(ResultSet row, int column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }
}
