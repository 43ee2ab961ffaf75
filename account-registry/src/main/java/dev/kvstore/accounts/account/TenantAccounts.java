package dev.kvstore.accounts.account;

import dev.kvstore.accounts.tenant.TenantDependent;
import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** The accounts of a tenant, which an admin deletes before the tenant. Thread-safe. */
@ApplicationScoped
class TenantAccounts implements TenantDependent {
    private final AccountRepository accounts;

    TenantAccounts(AccountRepository accounts) {
        this.accounts = accounts;
    }

    @Override
    public Affected affected(String tenant) {
        return new Affected(List.of(), accounts.names(tenant));
    }

    @Override
    public void end(Caller caller, String tenant) {
        long live = accounts.countLive(tenant);
        if (live > 0) {
            throw ProblemException.of(ProblemKind.CONFLICT, tenant + " has accounts (" + live + "): delete them first");
        }
    }
}
