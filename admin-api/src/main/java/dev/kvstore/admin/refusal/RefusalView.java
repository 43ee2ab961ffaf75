package dev.kvstore.admin.refusal;

import java.time.Instant;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Something that a caller was refused.
 *
 * @param actor who asked, as far as that is known
 * @param role null if unknown, or if it was no admin
 * @param tenant for whom the caller spoke; null if for none, or unknown
 * @param what was asked for: a method and a path, or the use of a resource
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
