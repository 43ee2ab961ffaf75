package dev.kvstore.admin.caller;

/** Parts of the registry that callers may change by their role alone, whichever of their things it is. */
public enum Realm {
    /** Tenants and limits. */
    PLATFORM,
    /** The things of a tenant: keys, accounts, grants, warmings. */
    TENANTS,
    /** Regions, clusters and processes. */
    FLEET;

    /**
     * Holds if a caller's role lets it change anything here. Costs nothing: it is asked before the registry is read or locked.
     *
     * @throws dev.kvstore.admin.problem.ProblemException if not
     */
    public void require(Caller caller) {
        switch (this) {
            case PLATFORM -> caller.requirePlatformAdmin();
            case TENANTS -> caller.requireTenantAdmin();
            case FLEET -> caller.requireOperator();
        }
    }
}
