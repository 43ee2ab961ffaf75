package dev.kvstore.accounts.tenant;

import jakarta.validation.constraints.Pattern;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a tenant that an admin sets.
 *
 * @param displayName for people; the name if absent
 * @param state active if absent
 */
public record TenantSpec(
        @Nullable
        @Pattern(
                regexp = "[^\\x00-\\x1F\\x7F-\\x9F]{1,200}",
                message = "must have 1 to 200 characters, none of them control")
        String displayName,

        // A PUT cannot set the state of a deleted tenant; DELETE does.
        @Nullable
        @Schema(
                implementation = String.class,
                enumeration = {"active", "suspended"})
        TenantState state) {}
