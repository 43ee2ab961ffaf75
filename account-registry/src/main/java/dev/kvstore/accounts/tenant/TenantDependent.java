package dev.kvstore.accounts.tenant;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.problem.ProblemException;

/** Resources that end with the tenant that they belong to. Thread-safe. */
public interface TenantDependent {
    /** The keys and accounts whose rights change with the tenant's state. */
    default Affected affected(String tenant) {
        return Affected.NONE;
    }

    /**
     * Ends the resources of a tenant that is being deleted, in the transaction that deletes the tenant.
     *
     * @throws ProblemException if an admin has to end them first; the tenant stays
     */
    void end(Caller caller, String tenant);
}
