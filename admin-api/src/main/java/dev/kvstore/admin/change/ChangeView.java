package dev.kvstore.admin.change;

import com.fasterxml.jackson.annotation.JsonRawValue;
import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * One change, as callers see it.
 *
 * @param tenant the tenant that the changed resource belongs to; null if it belongs to none
 * @param before the resource before; null if it did not exist
 * @param after the resource afterwards; null if it no longer exists
 */
@Schema(name = "Change")
public record ChangeView(
        long id,
        Instant at,
        String actor,
        String role,
        @Nullable String tenant,
        String action,
        String kind,
        String name,

        @Nullable @JsonRawValue @Schema(implementation = Object.class)
        String before,

        @Nullable @JsonRawValue @Schema(implementation = Object.class)
        String after) {
    static ChangeView of(Change change) {
        return new ChangeView(
                change.id(),
                change.at(),
                change.actor(),
                change.role(),
                change.tenant(),
                change.action(),
                change.kind(),
                change.name(),
                change.before(),
                change.after());
    }
}
