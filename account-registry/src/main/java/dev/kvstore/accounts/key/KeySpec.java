package dev.kvstore.accounts.key;

import jakarta.validation.constraints.Pattern;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a request for a new key.
 *
 * @param label for people; empty if absent
 * @param expiresAt when it ends; never if absent
 */
public record KeySpec(
        @Nullable
        @Pattern(
                regexp = "[^\\x00-\\x1F\\x7F-\\x9F]{0,200}",
                message = "must have at most 200 characters, none of them control")
        String label,

        @Nullable Instant expiresAt) {}
