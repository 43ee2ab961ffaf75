package dev.kvstore.clusters.token;

import jakarta.validation.constraints.Pattern;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request for a new join token.
 *
 * @param label for people; empty if absent
 * @param expiresAt when it ends; never if absent
 * @param secret the part after the id in the token, for callers who must not depend on an answer to learn it; the
 *     service makes one if absent
 */
public record JoinTokenSpec(
        @Nullable
        @Pattern(
                regexp = "[^\\x00-\\x1F\\x7F-\\x9F]{0,200}",
                message = "must have at most 200 characters, none of them control")
        String label,

        @Nullable Instant expiresAt,

        @Nullable
        @Pattern(
                regexp = "^[A-Za-z0-9_-]{43,128}$",
                message =
                        "must be 43 to 128 of A-Z, a-z, 0-9, '_' and '-': 32 random bytes as base64url without padding")
        @Schema(writeOnly = true)
        String secret) {
    /** Leaves the secret out: logs hold none. */
    @Override
    public String toString() {
        return "JoinTokenSpec[" + label + ", " + expiresAt + "]";
    }
}
