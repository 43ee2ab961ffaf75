package dev.kvstore.accounts.resolve;

import dev.kvstore.admin.change.ChangeLog;
import dev.kvstore.admin.database.Sql;
import dev.kvstore.admin.database.Transactions;
import dev.kvstore.admin.database.Vital;
import io.quarkus.agroal.DataSource;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.Collection;
import java.util.function.LongConsumer;

/** Tells which keys exist, or have existed, by fingerprints of 64 bits. Thread-safe. */
@Singleton
public class DatabaseKeys {
    private static final String ALL = "select " + ChangeLog.LAST + " as change, substring(k.sha256 for 8) as start"
            + " from (select 1) as one left join api_key k on true";
    private static final String SOME = "select substring(sha256 for 8) from api_key where id = any(:ids)";

    /** The number of keys that are fetched at a time, in memory beside the fingerprints. */
    private static final int FETCHED = 10_000;

    private final javax.sql.DataSource database;

    public DatabaseKeys(@DataSource(Vital.POOL) javax.sql.DataSource database) {
        this.database = database;
    }

    /**
     * The fingerprint of a key.
     *
     * @param sha256 of the whole key, 8 bytes or more
     */
    public static long fingerprint(byte[] sha256) {
        return ByteBuffer.wrap(sha256).getLong();
    }

    /**
     * The fingerprints of all keys.
     *
     * @return the last change that the fingerprints include
     * @throws SQLException if the database does not answer
     */
    public long all(LongConsumer fingerprints) throws SQLException {
        return Transactions.run(
                database,
                connection -> Sql.on(connection, ALL).fetching(FETCHED).rows(row -> {
                    long change = 0;
                    while (row.next()) {
                        change = row.getLong("change");
                        byte[] start = row.getBytes("start");
                        if (start != null) {
                            fingerprints.accept(fingerprint(start));
                        }
                    }
                    return change;
                }));
    }

    /**
     * The fingerprints of the given keys that exist.
     *
     * @throws SQLException if the database does not answer
     */
    public void some(Collection<String> ids, LongConsumer fingerprints) throws SQLException {
        Sql.on(database, SOME)
                .array("ids", "text", ids)
                .list(byte[].class)
                .forEach(start -> fingerprints.accept(fingerprint(start)));
    }
}
