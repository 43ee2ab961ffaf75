package dev.kvstore.accounts.grant;

import dev.kvstore.accounts.account.Account;
import dev.kvstore.accounts.account.Accounts;
import dev.kvstore.accounts.key.ApiKey;
import dev.kvstore.accounts.key.KeyRepository;
import dev.kvstore.accounts.tenant.Quotas;
import dev.kvstore.accounts.tenant.Tenant;
import dev.kvstore.accounts.tenant.TenantRepository;
import dev.kvstore.accounts.tenant.TenantState;
import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Realm;
import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.change.ChangeLog;
import dev.kvstore.admin.change.Subject;
import dev.kvstore.admin.name.End;
import dev.kvstore.admin.page.Cursor;
import dev.kvstore.admin.page.Page;
import dev.kvstore.admin.page.Precondition;
import dev.kvstore.admin.page.PutOutcome;
import dev.kvstore.admin.problem.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/** Grants: reading and changing them, as far as the caller may. Thread-safe. */
@ApplicationScoped
public class Grants {
    private static final String KIND = GrantRevocation.KIND;

    private final GrantRepository grants;
    private final GrantRevocation revocation;
    private final Accounts accounts;
    private final TenantRepository tenants;
    private final KeyRepository keys;
    private final Quotas quotas;
    private final ChangeLog changes;
    private final Clock clock;

    Grants(
            GrantRepository grants,
            GrantRevocation revocation,
            Accounts accounts,
            TenantRepository tenants,
            KeyRepository keys,
            Quotas quotas,
            ChangeLog changes,
            Clock clock) {
        this.grants = grants;
        this.revocation = revocation;
        this.accounts = accounts;
        this.tenants = tenants;
        this.keys = keys;
        this.quotas = quotas;
        this.changes = changes;
        this.clock = clock;
    }

    @Transactional
    Page<GrantView> page(Caller caller, String resourceName, @Nullable String cursor, int limit) {
        accounts.requireSees(caller, resourceName);
        return Page.of(
                grants.page(resourceName, Cursor.name(cursor), limit + 1),
                limit,
                grant -> grant.id().name(),
                GrantView::of);
    }

    /** The grants that a tenant received. */
    @Transactional
    Page<GrantView> received(Caller caller, String tenant, @Nullable String cursor, int limit) {
        caller.requireSees(tenant, "tenant", tenant);
        String[] after = Cursor.name(cursor).split("/", 2);
        return Page.of(
                grants.received(tenant, after[0], after.length > 1 ? after[1] : "", limit + 1),
                limit,
                grant -> grant.id().resourceName() + "/" + grant.id().name(),
                GrantView::of);
    }

    @Transactional
    GrantView get(Caller caller, String resourceName, String name) {
        accounts.requireSees(caller, resourceName);
        return GrantView.of(find(resourceName, name));
    }

    private Grant find(String resourceName, String name) {
        Grant grant = grants.findById(new Grant.Id(resourceName, name));
        if (grant == null) {
            throw ProblemException.notFound(KIND, name);
        }
        return grant;
    }

    @Transactional
    PutOutcome<GrantView> put(
            Caller caller, String resourceName, String name, GrantSpec spec, Precondition precondition) {
        changes.begin(caller, Realm.TENANTS);
        Account account = accounts.requireChanges(caller, resourceName);
        check(account, spec);
        Grant known = grants.findById(new Grant.Id(resourceName, name));
        precondition.check(known == null ? null : known.version());
        if (known == null) {
            quotas.requireRoom(Quotas.What.GRANTS, grants.countOf(resourceName));
        }
        if (known == null || !known.grantee().equals(spec.grantee())) {
            quotas.requireRoom(Quotas.What.GRANTS_TO_ONE, grants.countTo(spec.grantee(), account.tenant()));
        }
        GrantView before = known == null ? null : GrantView.of(known);
        Grant grant = known == null ? new Grant(new Grant.Id(resourceName, name), clock.instant()) : known;
        grant.update(spec);
        grants.persistAndFlush(grant);
        GrantView after = GrantView.of(grant);
        return changes.put(
                caller,
                new Subject(KIND, resourceName + "/" + name, account.tenant()),
                Affected.resource(resourceName),
                before == null,
                before,
                after,
                after.version());
    }

    private void check(Account account, GrantSpec spec) {
        Tenant grantee = tenants.findById(spec.grantee());
        if (grantee == null || grantee.state() == TenantState.DELETED) {
            throw ProblemException.invalid("grantee", "must be a tenant that is registered");
        }
        if (grantee.name().equals(account.tenant())) {
            throw ProblemException.invalid("grantee", "must be another tenant: the owner may do everything");
        }
        if (spec.keyId() != null) {
            ApiKey key = keys.findById(spec.keyId());
            if (key == null || !key.tenant().equals(spec.grantee())) {
                throw ProblemException.invalid("keyId", "must be a key of the grantee");
            }
        }
        End.check("expiresAt", spec.expiresAt(), clock.instant());
    }

    @Transactional
    void delete(Caller caller, String resourceName, String name, Precondition precondition) {
        changes.begin(caller, Realm.TENANTS);
        Account account = accounts.requireChanges(caller, resourceName);
        Grant grant = find(resourceName, name);
        precondition.check(grant.version());
        revocation.revoke(caller, grant, account.tenant());
    }
}
