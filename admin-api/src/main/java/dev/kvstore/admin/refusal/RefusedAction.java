package dev.kvstore.admin.refusal;

import org.jspecify.annotations.Nullable;

/**
 * A refusal of a caller's request.
 *
 * @param actor the caller, as far as it is known
 * @param role null if unknown, or if it was no admin
 * @param tenant the tenant for which the caller speaks; null if for none, or unknown
 * @param what the request
 * @param reason the reason, with more than the caller is told
 */
public record RefusedAction(
        String actor, @Nullable String role, @Nullable String tenant, String what, String reason) {}
