package dev.kvstore.accounts.grant;

import dev.kvstore.accounts.account.Account;
import dev.kvstore.accounts.account.AccountDependent;
import dev.kvstore.accounts.tenant.TenantDependent;
import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.change.ChangeLog;
import dev.kvstore.admin.change.Subject;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Takes grants back, each with a change of its own in the log. Thread-safe. */
@ApplicationScoped
public class GrantRevocation implements AccountDependent, TenantDependent {
    static final String KIND = "grant";

    private static final int AT_ONCE = 1_000;

    private final GrantRepository grants;
    private final ChangeLog changes;

    GrantRevocation(GrantRepository grants, ChangeLog changes) {
        this.grants = grants;
        this.changes = changes;
    }

    /** Ends all grants of an account. */
    @Override
    public void end(Caller caller, Account account) {
        String resourceName = account.resourceName();
        List<Grant> page = grants.page(resourceName, "", AT_ONCE);
        while (!page.isEmpty()) {
            record(caller, page);
            page = grants.page(resourceName, page.getLast().id().name(), AT_ONCE);
        }
        grants.delete("id.resourceName", resourceName);
    }

    /** Ends all grants that a tenant received. */
    @Override
    public void end(Caller caller, String grantee) {
        List<Grant> page = grants.received(grantee, "", "", AT_ONCE);
        while (!page.isEmpty()) {
            record(caller, page);
            Grant.Id last = page.getLast().id();
            page = grants.received(grantee, last.resourceName(), last.name(), AT_ONCE);
        }
        grants.delete("grantee", grantee);
    }

    private void record(Caller caller, List<Grant> ended) {
        Map<String, String> owners = grants.owners(
                ended.stream().map(grant -> grant.id().resourceName()).collect(Collectors.toSet()));
        changes.record(
                caller,
                ChangeLog.Action.REVOKE,
                ended.stream()
                        .map(grant -> new ChangeLog.Entry(
                                new Subject(
                                        KIND,
                                        grant.id().resourceName() + "/"
                                                + grant.id().name(),
                                        owners.get(grant.id().resourceName())),
                                GrantView.of(grant),
                                null,
                                Affected.resource(grant.id().resourceName())))
                        .toList());
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
