package dev.kvstore.accounts.resolve;

import jakarta.enterprise.context.ApplicationScoped;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Answers from the registry where an account's blobs are in one region, by one statement. Thread-safe. */
@ApplicationScoped
public class DatabaseReplicas {
    private static final String QUESTION = """
            select r.endpoint, r.container, r.credential, r.create_container,
                r.state = 'READY' or (r.proven and r.state = 'UNPROVEN'), r.proven or r.vouched, r.probed_at
            from replica r join account a using (resource_name) join tenant t on t.name = a.tenant
            where r.resource_name = ? and r.region = ? and a.state = 'ACTIVE' and t.state = 'ACTIVE'
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
            Resolved.Storage storage,
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
        try (Connection connection = database.getConnection();
                PreparedStatement question = connection.prepareStatement(QUESTION)) {
            question.setString(1, resourceName);
            question.setString(2, region);
            try (ResultSet row = question.executeQuery()) {
                return row.next()
                        ? Optional.of(new RegionReplica(
                                new Resolved.Storage(
                                        row.getString(1), row.getString(2), row.getString(3), row.getBoolean(4)),
                                row.getBoolean(5),
                                row.getBoolean(6),
                                instant(row.getTimestamp(7))))
                        : Optional.empty();
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the database does not answer", e);
        }
    }

    private static @Nullable Instant instant(@Nullable Timestamp time) {
        return time == null ? null : time.toInstant();
    }
}
