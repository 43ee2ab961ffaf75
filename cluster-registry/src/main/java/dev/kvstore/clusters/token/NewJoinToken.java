package dev.kvstore.clusters.token;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A join token that was just made.
 *
 * @param token the whole token, which is shown this once
 */
public record NewJoinToken(
        String id,
        String token,
        String cluster,
        String label,
        @Nullable Instant expiresAt) {
    /** Leaves the token out: logs hold none. */
    @Override
    public String toString() {
        return "NewJoinToken[" + id + "]";
    }
}
