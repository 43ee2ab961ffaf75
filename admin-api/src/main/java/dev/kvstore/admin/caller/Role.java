package dev.kvstore.admin.caller;

import java.util.Locale;

/** What callers may. */
public enum Role {
    /** Everything. */
    PLATFORM_ADMIN,
    /** Everything within one tenant: keys, accounts, grants. */
    TENANT_ADMIN,
    /** Regions, clusters and processes; sees everything. */
    OPERATOR,
    /** Sees everything of the tenant that its credential names, or of all if that is {@code *}. */
    VIEWER;

    /** As credentials and the audit log have it, such as {@code platform-admin}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
