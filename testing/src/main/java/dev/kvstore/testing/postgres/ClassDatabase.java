package dev.kvstore.testing.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;

/**
 * A database that no other test class has. Thread-safe.
 *
 * @param url of JDBC, without the user
 * @param source of connections to the database
 */
public record ClassDatabase(String url, DataSource source) {
    /** The user of every test's database, who needs no password. */
    public static final String USER = "postgres";

    /**
     * The settings by which a Quarkus application reaches the database.
     *
     * @param pools the names of the application's pools; empty for the default pool
     */
    public Map<String, String> settings(String... pools) {
        Map<String, String> settings = new HashMap<>();
        for (String pool : pools) {
            String prefix = "quarkus.datasource." + (pool.isEmpty() ? "" : pool + ".");
            settings.put(prefix + "jdbc.url", url);
            settings.put(prefix + "username", USER);
            settings.put(prefix + "password", "");
        }
        return settings;
    }

    /** Runs a statement. */
    public void execute(String statement) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement command = connection.createStatement()) {
            command.execute(statement);
        }
    }

    /** The number in the first column of a query's first row. */
    public long number(String query) throws SQLException {
        return Long.parseLong(text(query));
    }

    /** The text in the first column of a query's first row. */
    public String text(String query) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            if (!row.next()) {
                throw new SQLException("no row: " + query);
            }
            return String.valueOf(row.getString(1));
        }
    }
}
