package dev.kvstore.admin.database;

import java.sql.SQLException;

/** A question to the database. */
@FunctionalInterface
public interface DatabaseQuery<T> {
    /** Asks the question. */
    T ask() throws SQLException;

    /**
     * The answer to a question, for a caller that cannot go on without it.
     *
     * @throws IllegalStateException if the database does not answer; the cause is the database's exception
     */
    static <T> T answer(DatabaseQuery<T> query) {
        try {
            return query.ask();
        } catch (SQLException e) {
            throw new IllegalStateException("the database does not answer", e);
        }
    }
}
