package dev.kvstore.control.database;

import dev.kvstore.admin.database.Sql;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * Refuses a pooler between this process and PostgreSQL that gives each transaction another session, as PgBouncer does
 * with {@code pool_mode=transaction}: timeouts, prepared statements and LISTEN belong to a session. Stateless.
 */
final class Pooler {
    /** The number of attempts: another client of the pooler may come between two queries, but hardly each time. */
    private static final int ATTEMPTS = 10;

    private Pooler() {}

    /** @throws BadDatabaseException if two connections that are open at once have one session */
    static void refuse(Database database) throws BadDatabaseException, SQLException {
        try (Connection one = DriverManager.getConnection(database.url(), database.properties());
                Connection other = DriverManager.getConnection(database.url(), database.properties())) {
            for (int i = 0; i < ATTEMPTS; i++) {
                if (session(one) == session(other)) {
                    throw new BadDatabaseException("the database at " + database.url()
                            + " is behind a pooler that shares sessions between transactions: name PostgreSQL itself"
                            + " in --jdbc-url, or have the pooler keep a session for each connection"
                            + " (pool_mode=session in PgBouncer)");
                }
            }
        }
    }

    private static int session(Connection connection) throws SQLException {
        return Sql.on(connection, "select pg_backend_pid()").only(Integer.class);
    }
}
