package dev.kvstore.accounts.grant;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A grant, as callers see it. */
public record GrantView(
        String resourceName,
        String name,
        String grantee,
        @Nullable String keyId,
        Set<Access> access,
        @Nullable String partition,
        Instant createdAt,
        @Nullable Instant expiresAt,
        long version) {
    static GrantView of(Grant grant) {
        Set<Access> access = EnumSet.noneOf(Access.class);
        if (grant.reads()) {
            access.add(Access.READ);
        }
        if (grant.writes()) {
            access.add(Access.WRITE);
        }
        return new GrantView(
                grant.id().resourceName(),
                grant.id().name(),
                grant.grantee(),
                grant.keyId(),
                access,
                grant.partition(),
                grant.createdAt(),
                grant.expiresAt(),
                grant.version());
    }
}
