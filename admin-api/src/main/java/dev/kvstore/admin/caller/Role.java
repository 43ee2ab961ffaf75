package dev.kvstore.admin.caller;

import java.util.Locale;

/** The roles of callers. */
public enum Role {
    /** Everything. */
    PLATFORM_ADMIN,
    /** Everything within one tenant: keys, accounts, grants. */
    TENANT_ADMIN,
    /** Regions, clusters and processes; sees everything. */
    OPERATOR,
    /** Sees everything of the tenant that its credential names, or of all if that is {@code *}. */
    VIEWER;

    /** The role's name in credentials and in the audit log, such as {@code platform-admin}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
