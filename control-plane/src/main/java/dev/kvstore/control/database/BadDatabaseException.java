package dev.kvstore.control.database;

/** The database cannot be used; the message says why, and the way out. */
public final class BadDatabaseException extends Exception {
    private static final long serialVersionUID = 1;

    BadDatabaseException(String message) {
        super(message);
    }

    BadDatabaseException(String message, Throwable cause) {
        super(message, cause);
    }
}
