package dev.kvstore.accounts.grant;

import dev.kvstore.admin.page.Versions;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.io.Serializable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A grant in the database: the permission that an account's owner gives to another tenant. */
@Entity
@Table(name = "account_grant")
@SuppressWarnings("NullAway.Init") // Hibernate fills it.
public class Grant {
    /** The grant's key: account and name. */
    @Embeddable
    public record Id(@Column(name = "resource_name") String resourceName, String name) implements Serializable {}

    @EmbeddedId
    private Id id;

    private String grantee;

    @Column(name = "key_id")
    private @Nullable String keyId;

    private boolean reads;
    private boolean writes;
    private @Nullable String partition;

    @Column(name = "created_at")
    private Instant createdAt;

    @Column(name = "expires_at")
    private @Nullable Instant expiresAt;

    @Version
    private long version;

    protected Grant() {}

    Grant(Id id, Instant now) {
        this.id = id;
        this.createdAt = now;
        this.version = Versions.first(now);
    }

    void update(GrantSpec spec) {
        this.grantee = spec.grantee();
        this.keyId = spec.keyId();
        this.reads = spec.access().contains(Access.READ);
        this.writes = spec.access().contains(Access.WRITE);
        this.partition = spec.partition();
        this.expiresAt = spec.expiresAt();
    }

    Id id() {
        return id;
    }

    /** The tenant that gets the permission. */
    public String grantee() {
        return grantee;
    }

    /** The only key of the grantee that may use the grant; null for all its keys. */
    public @Nullable String keyId() {
        return keyId;
    }

    public boolean reads() {
        return reads;
    }

    public boolean writes() {
        return writes;
    }

    /** The only partition that the grant covers; null for the whole account. */
    public @Nullable String partition() {
        return partition;
    }

    Instant createdAt() {
        return createdAt;
    }

    /** The end of the grant; null if it has none. */
    public @Nullable Instant expiresAt() {
        return expiresAt;
    }

    long version() {
        return version;
    }
}
