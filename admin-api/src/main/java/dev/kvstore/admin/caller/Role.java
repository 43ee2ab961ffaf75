package dev.kvstore.admin.caller;

import java.util.Locale;

/** The roles of callers. */
public enum Role {
    /** The role that may change everything. */
    PLATFORM_ADMIN,
    /** The role that may change everything within one tenant: keys, accounts, grants. */
    TENANT_ADMIN,
    /** The role that may change regions, clusters and processes, and sees everything. */
    OPERATOR,
    /**
     * The role that sees everything of the tenant that its credential names, or of all tenants if that is {@code *}.
     */
    VIEWER;

    /** The role's name in credentials and in the audit log, such as {@code platform-admin}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
