package dev.kvstore.accounts.resolve;

import dev.kvstore.accounts.account.StorageRow;
import dev.kvstore.admin.database.DatabaseQuery;
import dev.kvstore.admin.database.Sql;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Answers from the registry where an account's blobs are in one region, by one statement. Thread-safe. */
@ApplicationScoped
public class DatabaseReplicas {
    private static final String QUESTION = """
            select r.endpoint, r.container, r.credential, r.create_container,
                r.state = 'READY' or (r.proven and r.state = 'UNPROVEN') as serves, r.proven or r.vouched as owned,
                r.probed_at as since
            from replica r join account a using (resource_name) join tenant t on t.name = a.tenant
            where r.resource_name = :name and r.region = :region and a.state = 'ACTIVE' and t.state = 'ACTIVE'
            """;

    private final DataSource database;

    DatabaseReplicas(DataSource database) {
        this.database = database;
    }

    /**
     * The storage of an account in a region.
     *
     * @param serves whether a trial has succeeded; it stays true while a new credential is tried
     * @param owned whether the storage is the tenant's, by proof or by a platform admin's word
     * @param since the time of the last trial, and so the time since when this storage is good with this credential;
     *     null if it was not tried yet
     */
    public record RegionReplica(
            StorageRow storage,
            boolean serves,
            boolean owned,
            @Nullable Instant since) {}

    /**
     * The replica of an account in a region; empty if the account has none there, or is gone, or its tenant is
     * suspended.
     *
     * @throws IllegalStateException if the database does not answer; the cause is the database's exception
     */
    public Optional<RegionReplica> of(String resourceName, String region) {
        return DatabaseQuery.answer(() -> Sql.on(database, QUESTION)
                .with("name", resourceName)
                .with("region", region)
                .first(RegionReplica.class));
    }
}
