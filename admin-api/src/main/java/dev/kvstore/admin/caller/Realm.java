package dev.kvstore.admin.caller;

/** The parts of the registry, by the role that may change them. */
public enum Realm {
    /** The realm of tenants and limits. */
    PLATFORM,
    /** The realm of resources of tenants: keys, accounts, grants, warmings. */
    TENANTS,
    /** The realm of regions, clusters and processes. */
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
