package dev.kvstore.admin.change;

import dev.kvstore.admin.database.Vital;
import io.quarkus.agroal.DataSource;
import jakarta.inject.Singleton;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Reads changes for the feed, over connections that admins cannot take from it. Thread-safe. */
@Singleton
public class ChangeReader {
    private final javax.sql.DataSource database;

    public ChangeReader(@DataSource(Vital.POOL) javax.sql.DataSource database) {
        this.database = database;
    }

    /**
     * The number of the last change; 0 if there is none.
     *
     * @throws IllegalStateException if the database does not answer; the cause is its own
     */
    public long last() {
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement("select " + ChangeLog.LAST);
                ResultSet row = select.executeQuery()) {
            row.next();
            return row.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException("the database does not answer", e);
        }
    }

    /**
     * Changes after a number, lowest first, at most so many: which keys and resources they touch.
     *
     * @throws IllegalStateException if the database does not answer; the cause is its own
     */
    public List<Change> after(long id, int limit) {
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement(
                        "select id, kind, key_ids, resource_names from change where id > ? order by id limit ?")) {
            select.setLong(1, id);
            select.setInt(2, limit);
            List<Change> changes = new ArrayList<>();
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    changes.add(new Change(
                            row.getLong(1), row.getString(2), names(row.getArray(3)), names(row.getArray(4))));
                }
            }
            return changes;
        } catch (SQLException e) {
            throw new IllegalStateException("the database does not answer", e);
        }
    }

    private static List<String> names(Array array) throws SQLException {
        return List.of((String[]) array.getArray());
    }
}
