package dev.kvstore.admin.database;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Runs statements together, all of them or none. Must not be called within a transaction that another class began.
 * Stateless.
 */
public final class Transactions {
    private Transactions() {}

    /** Work on one connection. */
    @FunctionalInterface
    public interface TransactionWork<T> {
        T run(Connection connection) throws SQLException;
    }

    /** Commits what the work did, unless it fails. */
    public static <T> T run(DataSource database, TransactionWork<T> work) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            boolean done = false;
            try {
                T result = work.run(connection);
                connection.commit();
                done = true;
                return result;
            } finally {
                if (!done) {
                    rollBack(connection);
                }
            }
        }
    }

    /** Rolls back. The reason for this is being thrown already, so a failure here is ignored. */
    private static void rollBack(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            System.getLogger(Transactions.class.getName())
                    .log(System.Logger.Level.DEBUG, "the connection is gone, and its transaction with it", e);
        }
    }
}
