package dev.kvstore.clusters.token;

import dev.kvstore.admin.page.Versions;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A join token, as the database has it: by its hash. */
@Entity
@Table(name = "join_token")
@SuppressWarnings("NullAway.Init") // Hibernate fills it.
public class JoinToken {
    @Id
    private String id;

    private String cluster;
    private String label;

    /** The hash of the token, which {@link TokenReader} reads. */
    @SuppressWarnings("UnusedVariable")
    private byte[] sha256;

    @Column(name = "created_at")
    private Instant createdAt;

    @Column(name = "expires_at")
    private @Nullable Instant expiresAt;

    /** The time of the last use, written apart from all else, so that use changes no version. */
    @Column(name = "last_used_at", insertable = false, updatable = false)
    private @Nullable Instant lastUsedAt;

    @Version
    private long version;

    protected JoinToken() {}

    JoinToken(JoinTokenText text, String cluster, String label, Instant now, @Nullable Instant expiresAt) {
        this.id = text.id();
        this.cluster = cluster;
        this.label = label;
        this.sha256 = text.sha256();
        this.createdAt = now;
        this.expiresAt = expiresAt;
        this.version = Versions.first(now);
    }

    String id() {
        return id;
    }

    String cluster() {
        return cluster;
    }

    String label() {
        return label;
    }

    Instant createdAt() {
        return createdAt;
    }

    /** The end of the token; null if it has none. */
    @Nullable
    Instant expiresAt() {
        return expiresAt;
    }

    @Nullable
    Instant lastUsedAt() {
        return lastUsedAt;
    }

    long version() {
        return version;
    }
}
