package dev.kvstore.admin.refusal;

import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A refusal, as callers see it.
 *
 * @param actor the caller, as far as it is known
 * @param role null if unknown, or if it was no admin
 * @param tenant the tenant for which the caller spoke; null if for none, or unknown
 * @param what the request: a method and a path, or the use of a resource
 */
@Schema(name = "Refusal")
public record RefusalView(
        long id,
        Instant at,
        String actor,
        @Nullable String role,
        @Nullable String tenant,
        String what,
        String reason) {}
