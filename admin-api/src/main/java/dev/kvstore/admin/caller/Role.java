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
    /** Sees everything; of one tenant, if its credential names one. */
    VIEWER;

    /** As credentials and the audit log have it, such as {@code platform-admin}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
