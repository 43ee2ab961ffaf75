package dev.kvstore.accounts.grant;

import dev.kvstore.admin.name.Name;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a grant that an owner sets.
 *
 * @param grantee the tenant that gets the permission
 * @param keyId the only key of the grantee that may use the grant; all its keys if absent
 * @param partition the only partition of the grant; the whole account if absent
 * @param expiresAt when it ends; never if absent
 */
public record GrantSpec(
        @NotNull(message = "is missing") @Name String grantee,
        @Nullable @Name String keyId,

        @NotEmpty(message = "must have read, write or both")
        Set<@NotNull(message = "must be read or write") Access> access,

        @Nullable
        @Pattern(
                regexp = "[^\\x00-\\x1F\\x7F-\\x9F]{1,255}",
                message = "must have 1 to 255 characters, none of them control")
        String partition,

        @Nullable Instant expiresAt) {}
