package dev.kvstore.accounts.key;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.security.MessageDigest;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An API key in the database, kept by its hash. */
@Entity
@Table(name = "api_key")
@SuppressWarnings("NullAway.Init") // Hibernate fills it.
public class ApiKey {
    @Id
    private String id;

    private String tenant;
    private String label;

    private byte[] sha256;

    @Column(name = "created_at")
    private Instant createdAt;

    @Column(name = "expires_at")
    private @Nullable Instant expiresAt;

    @Column(name = "revoked_at")
    private @Nullable Instant revokedAt;

    private String lineage;
    private @Nullable String successor;

    @Version
    private long version;

    protected ApiKey() {}

    ApiKey(String id, String tenant, String label, byte[] sha256, Instant now, @Nullable Instant expiresAt) {
        this.id = id;
        this.tenant = tenant;
        this.label = label;
        this.sha256 = sha256.clone();
        this.createdAt = now;
        this.expiresAt = expiresAt;
        this.lineage = id;
    }

    void revoke(Instant now) {
        revokedAt = now;
    }

    /** Makes this key the successor of another one, which ends no later than a time. */
    void follow(ApiKey other, Instant end) {
        lineage = other.lineage;
        other.successor = id;
        if (other.expiresAt == null || other.expiresAt.isAfter(end)) {
            other.expiresAt = end;
        }
    }

    public String id() {
        return id;
    }

    /** Sets label and end. A key that was replaced ends no later than the rotation said. */
    void change(String newLabel, @Nullable Instant end) {
        label = newLabel;
        if (successor == null || expiresAt == null || (end != null && end.isBefore(expiresAt))) {
            expiresAt = end;
        }
    }

    /** Whether a text is this key as a whole. */
    boolean isOf(String text) {
        return isOf(Secrets.sha256(text));
    }

    /** Whether a hash is that of the whole key. */
    boolean isOf(byte[] otherSha256) {
        return MessageDigest.isEqual(sha256, otherSha256);
    }

    /** The tenant for which the key speaks. */
    public String tenant() {
        return tenant;
    }

    /** The id that all keys of a series of rotations share. */
    public String lineage() {
        return lineage;
    }

    /** The key that replaced this one; null if none has. */
    @Nullable
    String successor() {
        return successor;
    }

    String label() {
        return label;
    }

    Instant createdAt() {
        return createdAt;
    }

    /** The end of the key; null if it has none. */
    public @Nullable Instant expiresAt() {
        return expiresAt;
    }

    @Nullable
    Instant revokedAt() {
        return revokedAt;
    }

    /** Whether the key is good at a moment. */
    public boolean isGood(Instant now) {
        return revokedAt == null && (expiresAt == null || now.isBefore(expiresAt));
    }

    long version() {
        return version;
    }
}
