package dev.kvstore.accounts.key;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An API key, as callers see it: without its secret.
 *
 * @param expiresAt when it ends; null if never
 * @param revokedAt when it was revoked; null if it was not
 * @param successor the key that a rotation put in its place; null if none
 */
public record KeyView(
        String id,
        String tenant,
        String label,
        Instant createdAt,
        @Nullable Instant expiresAt,
        @Nullable Instant revokedAt,
        @Nullable String successor,
        long version) {
    static KeyView of(ApiKey key) {
        return new KeyView(
                key.id(),
                key.tenant(),
                key.label(),
                key.createdAt(),
                key.expiresAt(),
                key.revokedAt(),
                key.successor(),
                key.version());
    }

    /** This key after its revocation. */
    KeyView revoked(Instant now) {
        return new KeyView(id, tenant, label, createdAt, expiresAt, now, successor, version + 1);
    }
}
