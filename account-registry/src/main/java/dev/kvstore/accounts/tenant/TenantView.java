package dev.kvstore.accounts.tenant;

import java.time.Instant;

/**
 * A tenant, as callers see it.
 *
 * @param version goes up with every change; the answer's {@code ETag}
 */
public record TenantView(
        String name, String displayName, TenantState state, Instant createdAt, Instant updatedAt, long version) {
    static TenantView of(Tenant tenant) {
        return new TenantView(
                tenant.name(),
                tenant.displayName(),
                tenant.state(),
                tenant.createdAt(),
                tenant.updatedAt(),
                tenant.version());
    }
}
