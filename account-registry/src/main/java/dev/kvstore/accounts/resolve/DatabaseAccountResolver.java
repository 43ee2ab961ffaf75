package dev.kvstore.accounts.resolve;

import dev.kvstore.accounts.account.Limits;
import dev.kvstore.accounts.account.StorageRow;
import dev.kvstore.accounts.grant.Access;
import dev.kvstore.admin.change.ChangeLog;
import dev.kvstore.admin.database.DatabaseQuery;
import dev.kvstore.admin.database.Sql;
import dev.kvstore.admin.database.Vital;
import io.quarkus.agroal.DataSource;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.MessageDigest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Answers from the registry what a key may do. The answer takes one SQL statement, since data planes wait for it and
 * each message to the database costs as much as all the rest. Thread-safe.
 */
@ApplicationScoped
public class DatabaseAccountResolver {
    /**
     * The query for a row for each grant of the account that the key has, at least one row. The row's storage is that
     * of the region if it serves, else that of the home region. A storage serves once a trial has succeeded, also while
     * a new credential is tried. A grant to one key also holds for the keys that replaced it by rotation.
     */
    private static final String QUESTION = """
            select %s as change, k.sha256, k.tenant as key_tenant, k.expires_at as key_end,
                k.revoked_at is null and kt.state = 'ACTIVE' as key_good,
                a.tenant as owner, a.operations, a.bytes_per_second, a.max_offline_seconds,
                a.state = 'ACTIVE' and o.state = 'ACTIVE' as account_good,
                r.endpoint, r.container, r.credential, r.create_container,
                a.read_through_millis, t.region as through_region, t.endpoint as through_endpoint,
                t.container as through_container, t.credential as through_credential,
                g.reads, g.writes, g.partition, g.expires_at as grant_end
            from (select 1) as one
            left join api_key k on k.id = :key
            left join tenant kt on kt.name = k.tenant
            left join account a on a.resource_name = :name
            left join tenant o on o.name = a.tenant
            left join lateral (
                select * from replica r
                where r.resource_name = a.resource_name and r.region in (:region, a.home_region)
                and (r.state = 'READY' or (r.proven and r.state = 'UNPROVEN'))
                order by r.region = a.home_region limit 1) r on true
            left join replica t on t.resource_name = a.resource_name and t.region = a.read_through
                and t.region <> r.region and (t.state = 'READY' or (t.proven and t.state = 'UNPROVEN'))
            left join account_grant g on g.resource_name = a.resource_name and g.grantee = k.tenant
                and a.tenant <> k.tenant
                and (g.key_id is null or g.key_id in (select id from api_key where lineage = k.lineage))
            """.formatted(ChangeLog.LAST);

    private final javax.sql.DataSource database;
    private final Clock clock;

    DatabaseAccountResolver(@DataSource(Vital.POOL) javax.sql.DataSource database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /**
     * An answer.
     *
     * @param change the number of the last change that the answer includes
     */
    public record AccountResolution(long change, Resolved resolved) {}

    /**
     * The rights of a key on a resource.
     *
     * @param sha256 of the whole key
     * @param resourceName of any content; empty to ask about the key alone
     * @param region the region of the data plane that asks: the answer has the storage there, else that of the home
     *     region
     * @throws IllegalStateException if the database does not answer; the cause is the database's exception
     */
    public AccountResolution resolve(String keyId, byte[] sha256, String resourceName, String region) {
        return DatabaseQuery.answer(() -> Sql.on(database, QUESTION)
                .with("key", keyId)
                .with("name", resourceName)
                .with("region", region)
                .first(row -> new AccountResolution(row.getLong("change"), resolved(row, sha256, resourceName)))
                .orElseThrow());
    }

    private Resolved resolved(ResultSet row, byte[] sha256, String resourceName) throws SQLException {
        Instant now = clock.instant();
        byte[] expected = row.getBytes("sha256");
        // The hash is compared in any case, so that the time does not reveal which ids exist.
        boolean matches = MessageDigest.isEqual(expected == null ? new byte[sha256.length] : expected, sha256);
        Instant keyEnd = Sql.instant(row, "key_end");
        if (expected == null || !matches || !row.getBoolean("key_good") || !isBefore(now, keyEnd)) {
            return new Resolved.UnknownKey(expected != null && matches && row.getBoolean("key_good"));
        }
        String tenant = row.getString("key_tenant");
        if (!row.getBoolean("account_good")) {
            return new Resolved.NotGranted(tenant, keyEnd, false);
        }
        String owner = row.getString("owner");
        if (row.getString("endpoint") == null) {
            boolean hasRights =
                    owner.equals(tenant) || !granted(row, keyEnd, now).isEmpty();
            return new Resolved.NotGranted(tenant, keyEnd, hasRights);
        }
        StorageRow storage = Sql.record(row, StorageRow.class);
        Limits limits = Sql.record(row, Limits.class);
        Resolved.ReadThrough through = readThrough(row);
        Duration maxOffline = maxOffline(row);
        List<Resolved.Right> rights = owner.equals(tenant)
                ? Stream.of(Access.values())
                        .map(access -> new Resolved.Right(access, null, keyEnd))
                        .toList()
                : granted(row, keyEnd, now);
        return rights.isEmpty()
                ? new Resolved.NotGranted(tenant, keyEnd, false)
                : new Resolved.Granted(resourceName, tenant, owner, storage, limits, through, maxOffline, rights);
    }

    private static @Nullable Duration maxOffline(ResultSet row) throws SQLException {
        int seconds = row.getInt("max_offline_seconds");
        return row.wasNull() ? null : Duration.ofSeconds(seconds);
    }

    private static Resolved.@Nullable ReadThrough readThrough(ResultSet row) throws SQLException {
        String region = row.getString("through_region");
        return region == null
                ? null
                : new Resolved.ReadThrough(
                        region,
                        new StorageRow(
                                row.getString("through_endpoint"),
                                row.getString("through_container"),
                                row.getString("through_credential"),
                                false),
                        Duration.ofMillis(row.getInt("read_through_millis")));
    }

    /** The rights in this row and the following ones. */
    private static List<Resolved.Right> granted(ResultSet row, @Nullable Instant keyEnd, Instant now)
            throws SQLException {
        List<Resolved.Right> rights = new ArrayList<>();
        do {
            Instant grantEnd = Sql.instant(row, "grant_end");
            if (isBefore(now, grantEnd)) {
                Instant end = earlier(keyEnd, grantEnd);
                String partition = row.getString("partition");
                if (row.getBoolean("reads")) {
                    rights.add(new Resolved.Right(Access.READ, partition, end));
                }
                if (row.getBoolean("writes")) {
                    rights.add(new Resolved.Right(Access.WRITE, partition, end));
                }
            }
        } while (row.next());
        return rights;
    }

    private static boolean isBefore(Instant now, @Nullable Instant end) {
        return end == null || now.isBefore(end);
    }

    private static @Nullable Instant earlier(@Nullable Instant a, @Nullable Instant b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return a.isBefore(b) ? a : b;
    }
}
