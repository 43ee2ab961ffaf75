package dev.kvstore.admin.change;

import dev.kvstore.admin.database.Vital;
import io.quarkus.agroal.DataSource;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Reads changes for the feed, over connections that admins cannot take from it. A change whose names cannot be read
 * counts as one that concerns every resource: left out it would keep a revocation from data planes, and refused it would
 * keep all later changes from them. Thread-safe.
 */
@Singleton
public class ChangeReader {
    private static final Logger LOG = System.getLogger(ChangeReader.class.getName());

    private final javax.sql.DataSource database;
    private final LongAdder unreadable = new LongAdder();

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
                    changes.add(change(row));
                }
            }
            return changes;
        } catch (SQLException e) {
            throw new IllegalStateException("the database does not answer", e);
        }
    }

    /** Changes that this process could not read so far. */
    public long unreadable() {
        return unreadable.sum();
    }

    private Change change(ResultSet row) throws SQLException {
        long id = row.getLong(1);
        String kind = row.getString(2);
        try {
            return new Change(id, kind, names(row.getArray(3)), names(row.getArray(4)));
        } catch (RuntimeException e) {
            unreadable.increment();
            LOG.log(
                    Level.ERROR,
                    "the names of change {0} cannot be read, so data planes ask for everything again: {1}",
                    Long.toString(id),
                    e);
            return new Change(id, kind, List.of(), List.of(Affected.ALL));
        }
    }

    private static List<String> names(Array array) throws SQLException {
        return List.of((String[]) array.getArray());
    }
}
