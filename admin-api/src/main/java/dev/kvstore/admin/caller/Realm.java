package dev.kvstore.admin.caller;

/** The parts of the registry, by the role that may change them. */
public enum Realm {
    /** Tenants and limits. */
    PLATFORM,
    /** Resources of tenants: keys, accounts, grants, warmings. */
    TENANTS,
    /** Regions, clusters and processes. */
    FLEET;

    /**
     * Checks that the caller's role may change this part. Needs neither the registry nor its lock.
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
