package dev.kvstore.accounts.key;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A key that was just made.
 *
 * @param key the whole key, which is shown this once
 */
public record NewKey(
        String id,
        String key,
        String tenant,
        String label,
        @Nullable Instant expiresAt) {
    /** Leaves the key out: logs hold none. */
    @Override
    public String toString() {
        return "NewKey[" + id + "]";
    }
}
