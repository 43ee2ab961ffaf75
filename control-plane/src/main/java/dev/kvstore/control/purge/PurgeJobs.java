package dev.kvstore.control.purge;

import dev.kvstore.control.database.Transactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Purges in the database. Methods join the caller's transaction, if there is one. Thread-safe. */
final class PurgeJobs {
    /**
     * The time for which a purge is kept after its end. A data plane that starts drops purged blocks from its disk only
     * while the purge is kept: a data plane that was away for longer must start with an empty disk tier.
     */
    static final Duration KEPT = Duration.ofDays(90);

    /** The advisory lock of purges: a number that nothing else in this database locks. */
    private static final long ONE_AT_A_TIME = 0x6b76_7075_7267_6573L;

    private static final String OPEN = "p.ended_at is null";

    private final DataSource database;

    PurgeJobs(DataSource database) {
        this.database = database;
    }

    /** Locks the versions of purges until this transaction ends, so that versions become visible in their order. */
    static void lockVersions(Connection connection) throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement("select pg_advisory_xact_lock(?)")) {
            lock.setLong(1, ONE_AT_A_TIME);
            lock.executeQuery().close();
        }
    }

    /**
     * Makes a purge of the account's storages that are proven or vouched for; the purge begins at once. The account
     * never stored a block in any other storage.
     */
    PurgeJob insert(String id, String tenant, PurgeSpec spec) throws SQLException {
        try (Connection connection = database.getConnection()) {
            lockVersions(connection);
            try (PreparedStatement insert = connection.prepareStatement("""
                    insert into purge (id, resource_name, tenant, partition_name, block_tokens, root, hash, key_id, state,
                        version, created_at)
                    values (?, ?, ?, ?, ?, ?, ?, ?, 'TELLING', nextval('purge_version'), now())""")) {
                String block = spec.block();
                insert.setString(1, id);
                insert.setString(2, spec.resourceName());
                insert.setString(3, tenant);
                insert.setString(4, spec.partition());
                insert.setObject(5, spec.partition() == null ? null : spec.tokens(), java.sql.Types.INTEGER);
                insert.setBytes(6, spec.root().map(root -> root.toBytes()).orElse(null));
                insert.setBytes(7, block == null ? null : HexFormat.of().parseHex(block));
                insert.setString(8, spec.key());
                insert.executeUpdate();
            }
            try (PreparedStatement insert = connection.prepareStatement("""
                    insert into purge_region (purge, region, endpoint, container, credential, create_container)
                    select ?, region, endpoint, container, credential, create_container from replica
                    where resource_name = ? and (proven or vouched)""")) {
                insert.setString(1, id);
                insert.setString(2, spec.resourceName());
                insert.executeUpdate();
            }
            return PurgeRows.find(connection, id, "").orElseThrow();
        }
    }

    Optional<PurgeJob> find(String id) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return PurgeRows.find(connection, id, "");
        }
    }

    /** A page of purges, the latest first; null selects any. */
    List<PurgeJob> page(
            @Nullable String tenant,
            @Nullable String resourceName,
            @Nullable PurgeState state,
            String before,
            int limit)
            throws SQLException {
        String wanted = state == null ? null : state.name();
        try (Connection connection = database.getConnection()) {
            return PurgeRows.all(
                    connection, """
                    where (? = '' or p.id < ?) and (cast(? as text) is null or p.tenant = ?)
                    and (cast(? as text) is null or p.resource_name = ?) and (cast(? as text) is null or p.state = ?)
                    order by p.id desc limit ?""", before, before, tenant, tenant, resourceName, resourceName, wanted, wanted, limit);
        }
    }

    /** Ends a purge that is not over. Returns empty if the purge is over. */
    Optional<PurgeJob> cancel(String id) throws SQLException {
        try (Connection connection = database.getConnection()) {
            lockVersions(connection);
            Optional<PurgeJob> open = PurgeRows.find(connection, id, "and " + OPEN + " for update");
            if (open.isEmpty()) {
                return Optional.empty();
            }
            change(connection, id, PurgeState.CANCELLED);
            return PurgeRows.find(connection, id, "");
        }
    }

    static void change(Connection connection, String id, PurgeState state) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement("""
                update purge set state = ?, version = nextval('purge_version'), step_at = now(),
                    looked_at = now(), ended_at = case when ? then now() end where id = ?""")) {
            update.setString(1, state.name());
            update.setBoolean(2, state.isOver());
            update.setString(3, id);
            update.executeUpdate();
        }
    }

    /** Ids of the purges of an account that are not over. */
    List<String> openOf(String resourceName) throws SQLException {
        return texts("select p.id from purge p where p.resource_name = ? and " + OPEN + " order by p.id", resourceName);
    }

    private List<String> texts(String question, String value) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement(question)) {
            select.setString(1, value);
            List<String> found = new ArrayList<>();
            try (ResultSet row = select.executeQuery()) {
                while (row.next()) {
                    found.add(row.getString(1));
                }
            }
            return found;
        }
    }

    /** The purges of a tenant that are not over. */
    long openOfTenant(String tenant) throws SQLException {
        return count("select count(*) from purge p where p.tenant = ? and " + OPEN, tenant);
    }

    /** The number of kept purges of a tenant. */
    long ofTenant(String tenant) throws SQLException {
        return count("select count(*) from purge p where p.tenant = ?", tenant);
    }

    /** The number of kept purges of an account. */
    long ofAccount(String resourceName) throws SQLException {
        return count("select count(*) from purge p where p.resource_name = ?", resourceName);
    }

    private long count(String question, String value) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement(question)) {
            select.setString(1, value);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    /** Forgets old purges, and the confirmations of data planes. */
    void forget() throws SQLException {
        var _ = Transactions.run(database, connection -> {
            try (PreparedStatement delete = connection.prepareStatement(
                    "delete from purge where ended_at < now() - make_interval(secs => ?)")) {
                delete.setDouble(1, (double) KEPT.toSeconds());
                delete.executeUpdate();
            }
            try (PreparedStatement delete = connection.prepareStatement("""
                    delete from purge_follower f where not exists (select from lease l where l.id = f.lease)""")) {
                return delete.executeUpdate();
            }
        });
    }
}
