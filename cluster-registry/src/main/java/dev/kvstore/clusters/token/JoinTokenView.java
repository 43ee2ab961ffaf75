package dev.kvstore.clusters.token;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A join token, as callers see it: without its secret.
 *
 * @param expiresAt when it ends; null if never
 * @param lastUsedAt when a data plane last showed it, within a minute; null if none did
 */
public record JoinTokenView(
        String id,
        String cluster,
        String label,
        Instant createdAt,
        @Nullable Instant expiresAt,
        @Nullable Instant lastUsedAt,
        long version) {
    static JoinTokenView of(JoinToken token) {
        return new JoinTokenView(
                token.id(),
                token.cluster(),
                token.label(),
                token.createdAt(),
                token.expiresAt(),
                token.lastUsedAt(),
                token.version());
    }

    /** The form for the audit log, without the last use: a use by a data plane is no change. */
    JoinTokenView unused() {
        return new JoinTokenView(id, cluster, label, createdAt, expiresAt, null, version);
    }
}
