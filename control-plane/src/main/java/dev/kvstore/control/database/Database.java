package dev.kvstore.control.database;

/**
 * A database that can be reached.
 *
 * @param url of JDBC
 */
public record Database(String url, String user, String password) {
    /** Leaves the password out. */
    @Override
    public String toString() {
        return "Database[" + url + "]";
    }
}
