package dev.kvstore.accounts.tenant;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Realm;
import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.change.ChangeLog;
import dev.kvstore.admin.change.Subject;
import dev.kvstore.admin.page.Cursor;
import dev.kvstore.admin.page.Page;
import dev.kvstore.admin.page.Precondition;
import dev.kvstore.admin.page.PutOutcome;
import dev.kvstore.admin.problem.ProblemException;
import io.quarkus.arc.All;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tenants: reading and changing them, as far as the caller may. Thread-safe. */
@ApplicationScoped
public class Tenants {
    private static final String KIND = "tenant";

    private final TenantRepository tenants;
    private final List<TenantDependent> dependents;
    private final ChangeLog changes;
    private final Clock clock;

    Tenants(TenantRepository tenants, @All List<TenantDependent> dependents, ChangeLog changes, Clock clock) {
        this.tenants = tenants;
        this.dependents = dependents;
        this.changes = changes;
        this.clock = clock;
    }

    @Transactional
    Page<TenantView> page(Caller caller, @Nullable String cursor, @Nullable TenantState state, int limit) {
        return Page.of(
                tenants.page(Cursor.name(cursor), state, caller.tenant(), limit + 1),
                limit,
                Tenant::name,
                TenantView::of);
    }

    @Transactional
    TenantView get(Caller caller, String name) {
        caller.requireSees(name, KIND, name);
        return TenantView.of(find(name));
    }

    private Tenant find(String name) {
        Tenant tenant = tenants.findById(name);
        if (tenant == null) {
            throw ProblemException.notFound(KIND, name);
        }
        return tenant;
    }

    /**
     * A tenant whose resources are about to change.
     *
     * @throws ProblemException if the tenant does not exist or is deleted
     */
    public Tenant requireLive(String name) {
        Tenant tenant = tenants.findById(name);
        if (tenant == null || tenant.state() == TenantState.DELETED) {
            throw ProblemException.notFound(KIND, name);
        }
        return tenant;
    }

    @Transactional
    PutOutcome<TenantView> put(Caller caller, String name, TenantSpec spec, Precondition precondition) {
        caller.requirePlatformAdmin();
        if (spec.state() == TenantState.DELETED) {
            throw ProblemException.invalid("state", "must be active or suspended; DELETE deletes");
        }
        String displayName = spec.displayName() == null ? name : spec.displayName();
        TenantState state = spec.state() == null ? TenantState.ACTIVE : spec.state();
        changes.begin(caller, Realm.PLATFORM);
        Tenant tenant = tenants.findById(name);
        boolean ended = tenant != null && tenant.state() == TenantState.DELETED;
        precondition.check(tenant == null ? null : tenant.version(), ended);
        TenantView before = tenant == null ? null : TenantView.of(tenant);
        Tenant changed = tenant == null ? new Tenant(name, clock.instant()) : tenant;
        changed.update(displayName, state, clock.instant());
        tenants.persistAndFlush(changed);
        TenantView after = TenantView.of(changed);
        boolean rights = before != null && before.state() != after.state();
        return changes.put(
                caller,
                new Subject(KIND, name, name),
                rights ? everything(name) : Affected.NONE,
                before == null || ended,
                before,
                after,
                after.version());
    }

    @Transactional
    void delete(Caller caller, String name, Precondition precondition) {
        caller.requirePlatformAdmin();
        changes.begin(caller, Realm.PLATFORM);
        Tenant tenant = requireLive(name);
        precondition.check(tenant.version());
        TenantView before = TenantView.of(tenant);
        Affected affected = everything(name);
        tenant.update(before.displayName(), TenantState.DELETED, clock.instant());
        tenants.flush();
        // A tenant that is made anew begins without keys and grants.
        dependents.forEach(dependent -> dependent.end(caller, name));
        changes.record(
                caller,
                ChangeLog.Action.DELETE,
                new Subject(KIND, name, name),
                before,
                TenantView.of(tenant),
                affected);
    }

    /**
     * The keys and accounts of a tenant: a change of its state changes whether its keys are good and whether others may
     * use its accounts.
     */
    private Affected everything(String name) {
        return dependents.stream().map(dependent -> dependent.affected(name)).reduce(Affected.NONE, Affected::with);
    }
}
