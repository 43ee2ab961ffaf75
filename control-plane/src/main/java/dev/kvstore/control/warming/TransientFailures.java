package dev.kvstore.control.warming;

import java.sql.SQLException;
import java.util.Set;

/** Tells failures that pass by themselves from lasting ones. Stateless. */
final class TransientFailures {
    /**
     * Classes of SQLSTATE that pass by themselves: connection, rollback, resources, locks and cancellations, operators,
     * I/O.
     */
    private static final Set<String> CLASSES = Set.of("08", "40", "53", "55", "57", "58");

    private TransientFailures() {}

    /** Whether the database was away or busy. */
    static boolean is(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException database) {
                String state = database.getSQLState();
                return state == null || state.length() < 2 || CLASSES.contains(state.substring(0, 2));
            }
        }
        return false;
    }
}
