package dev.kvstore.control.purge;

import dev.kvstore.admin.database.Sql;
import dev.kvstore.control.job.JobTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Purges in the database. Methods join the caller's transaction, if there is one. Thread-safe. */
final class PurgeJobs extends JobTable {
    /**
     * The time for which a purge is kept after its end. A data plane that starts drops purged blocks from its disk only
     * while the purge is kept: a data plane that was away for longer must start with an empty disk tier.
     */
    static final Duration KEPT = Duration.ofDays(90);

    /** The advisory lock of purges: a number that nothing else in this database locks. */
    private static final long ONE_AT_A_TIME = 0x6b76_7075_7267_6573L;

    private static final String OPEN = "ended_at is null";

    PurgeJobs(DataSource database) {
        super(database, "purge", OPEN, KEPT);
    }

    /** Locks the versions of purges until this transaction ends, so that versions become visible in their order. */
    static void lockVersions(Connection connection) throws SQLException {
        var _ = Sql.on(connection, "select pg_advisory_xact_lock(:order)")
                .with("order", ONE_AT_A_TIME)
                .run();
    }

    /**
     * Makes a purge of the account's storages that are proven or vouched for; the purge begins at once. The account
     * never stored a block in any other storage.
     */
    PurgeJob insert(String id, String tenant, PurgeSpec spec) throws SQLException {
        try (Connection connection = database.getConnection()) {
            lockVersions(connection);
            String block = spec.block();
            var _ = Sql.on(connection, """
                            insert into purge (id, resource_name, tenant, partition_name, block_tokens, root, hash, key_id,
                                state, version, created_at)
                            values (:id, :resourceName, :tenant, :partition, :tokens, :root, :hash, :key, 'TELLING',
                                nextval('purge_version'), now())""")
                    .with(spec)
                    .with("id", id)
                    .with("tenant", tenant)
                    .with("tokens", spec.partition() == null ? null : spec.tokens())
                    .with("root", spec.root().map(root -> root.toBytes()).orElse(null))
                    .with("hash", block == null ? null : HexFormat.of().parseHex(block))
                    .run();
            var _ = Sql.on(connection, """
                            insert into purge_region (purge, region, endpoint, container, credential, create_container)
                            select :id, region, endpoint, container, credential, create_container from replica
                            where resource_name = :resourceName and (proven or vouched)""").with(spec).with("id", id).run();
            return PurgeRows.find(connection, id, "").orElseThrow();
        }
    }

    Optional<PurgeJob> find(String id) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return PurgeRows.find(connection, id, "");
        }
    }

    /** A page of purges, the latest first. */
    List<PurgeJob> page(JobQuery query, String before, int limit) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return PurgeRows.all(connection, PAGE, page -> query.page(page, before, limit));
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
        var _ = Sql.on(connection, """
                        update purge set state = :state, version = nextval('purge_version'), step_at = now(),
                            looked_at = now(), ended_at = case when :isOver then now() end where id = :id""")
                .with("state", state)
                .with("isOver", state.isOver())
                .with("id", id)
                .run();
    }

    /** Forgets also the confirmations of data planes that are gone. */
    @Override
    public void forget() throws SQLException {
        super.forget();
        var _ = Sql.on(
                        database,
                        "delete from purge_follower f where not exists (select from lease l where l.id = f.lease)")
                .run();
    }
}
