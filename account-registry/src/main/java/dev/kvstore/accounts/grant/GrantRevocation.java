package dev.kvstore.accounts.grant;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.change.ChangeLog;
import dev.kvstore.admin.change.Subject;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** Takes grants back, each with a change of its own in the log. Thread-safe. */
@ApplicationScoped
public class GrantRevocation {
    static final String KIND = "grant";

    private final GrantRepository grants;
    private final ChangeLog changes;

    GrantRevocation(GrantRepository grants, ChangeLog changes) {
        this.grants = grants;
        this.changes = changes;
    }

    /** Ends all that others may do with an account, in a transaction that has begun a change. */
    public void revokeOf(Caller caller, String resourceName) {
        revoke(caller, grants.of(resourceName));
    }

    /** Ends all that others let a tenant do, in a transaction that has begun a change. */
    public void revokeTo(Caller caller, String grantee) {
        revoke(caller, grants.to(grantee));
    }

    private void revoke(Caller caller, List<Grant> all) {
        all.forEach(grant -> revoke(caller, grant, grants.owner(grant.id().resourceName())));
    }

    /**
     * Takes one grant back, in a transaction that has begun a change.
     *
     * @param owner of the account
     */
    void revoke(Caller caller, Grant grant, String owner) {
        String resourceName = grant.id().resourceName();
        grants.delete(grant);
        changes.record(
                caller,
                ChangeLog.Action.REVOKE,
                new Subject(KIND, resourceName + "/" + grant.id().name(), owner),
                GrantView.of(grant),
                null,
                Affected.resource(resourceName));
    }
}
