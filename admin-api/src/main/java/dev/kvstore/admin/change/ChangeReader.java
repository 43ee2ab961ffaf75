package dev.kvstore.admin.change;

import dev.kvstore.admin.database.DatabaseQuery;
import dev.kvstore.admin.database.Sql;
import dev.kvstore.admin.database.Vital;
import io.quarkus.agroal.DataSource;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;

/**
 * Reads changes for the feed, over connections of its own, which admins cannot use up. A change whose names cannot be
 * read counts as one that concerns every resource: if it were left out, data planes might miss a revocation, and if it
 * were refused, they would miss all later changes. Thread-safe.
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
     * @throws IllegalStateException if the database does not answer; the cause is the database's exception
     */
    public long last() {
        return DatabaseQuery.answer(
                () -> Sql.on(database, "select " + ChangeLog.LAST).only(Long.class));
    }

    /**
     * The changes after a number, lowest first, up to a limit, with the keys and resources that they concern.
     *
     * @throws IllegalStateException if the database does not answer; the cause is the database's exception
     */
    public List<Change> after(long id, int limit) {
        return DatabaseQuery.answer(
                () -> Sql.on(database, """
                        select id, kind, key_ids, resource_names from change where id > :id order by id limit :limit""").with("id", id).with("limit", limit).list(this::change));
    }

    /** The number of changes that this process could not read so far. */
    public long unreadable() {
        return unreadable.sum();
    }

    private Change change(ResultSet row) throws SQLException {
        long id = row.getLong("id");
        String kind = row.getString("kind");
        try {
            return new Change(id, kind, names(row.getArray("key_ids")), names(row.getArray("resource_names")));
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
