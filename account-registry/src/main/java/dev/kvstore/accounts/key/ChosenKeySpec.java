package dev.kvstore.accounts.key;

import jakarta.validation.constraints.Pattern;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request for a key whose id and secret the caller chooses.
 *
 * @param label for people; empty if absent
 * @param expiresAt when it ends; never if absent
 * @param secret the part after the id in the key; absent if {@code sha256} is given instead, or if the key exists
 * @param sha256 of the whole key {@code kv_<id>_<secret>}, in hexadecimal digits, for callers who send no secrets
 */
public record ChosenKeySpec(
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
        String secret,

        @Nullable
        @Pattern(
                regexp = "^[0-9A-Fa-f]{64}$",
                message = "must be 64 hexadecimal digits: the SHA-256 of the whole key kv_<id>_<secret>")
        String sha256) {
    /** Leaves the secret and its hash out: logs hold none. */
    @Override
    public String toString() {
        return "ChosenKeySpec[" + label + ", " + expiresAt + "]";
    }
}
