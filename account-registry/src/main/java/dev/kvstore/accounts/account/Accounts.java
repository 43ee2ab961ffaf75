package dev.kvstore.accounts.account;

import dev.kvstore.accounts.tenant.Quotas;
import dev.kvstore.accounts.tenant.Tenants;
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
import dev.kvstore.admin.problem.ProblemKind;
import io.quarkus.arc.All;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Storage accounts: reading and changing them, as far as the caller may. Every change takes the lock of all changes
 * first ({@link ChangeLog#begin}), then reads the account and holds the caller's {@link Precondition} against the
 * account's version, so no other change can come in between. All methods throw a {@link ProblemException}:
 * {@link ProblemKind#NOT_FOUND} (404) if the account or its tenant does not exist or the caller may not see it,
 * {@link ProblemKind#FORBIDDEN} if the caller may see the account and not change it,
 * {@link ProblemKind#PRECONDITION_FAILED} (412) if the ETag of the request is not the account's. Thread-safe.
 */
@ApplicationScoped
public class Accounts {
    private static final String KIND = "account";

    private final AccountRepository accounts;
    private final Tenants tenants;
    private final ReplicaValidator validator;
    private final List<AccountDependent> dependents;
    private final Quotas quotas;
    private final ChangeLog changes;
    private final Clock clock;

    Accounts(
            AccountRepository accounts,
            Tenants tenants,
            ReplicaValidator validator,
            @All List<AccountDependent> dependents,
            Quotas quotas,
            ChangeLog changes,
            Clock clock) {
        this.accounts = accounts;
        this.tenants = tenants;
        this.validator = validator;
        this.dependents = dependents;
        this.quotas = quotas;
        this.changes = changes;
        this.clock = clock;
    }

    @Transactional
    Page<AccountView> page(
            Caller caller,
            @Nullable String cursor,
            @Nullable String tenant,
            @Nullable String region,
            @Nullable AccountState state,
            int limit) {
        String owner = tenant == null ? caller.tenant() : tenant;
        if (owner != null) {
            caller.requireSees(owner, "tenant", owner);
        }
        List<Account> found = accounts.page(Cursor.name(cursor), owner, region, state, limit + 1);
        int shown = Page.fitting(accounts.bytes(found), limit);
        accounts.readReplicas(found.subList(0, Math.min(shown, found.size())));
        return Page.of(found, shown, Account::resourceName, AccountView::of);
    }

    @Transactional
    AccountView get(Caller caller, String name) {
        return AccountView.of(find(caller, name));
    }

    private Account find(Caller caller, String name) {
        Account account = accounts.withReplicas(name);
        if (account == null) {
            throw caller.notFound(KIND, name);
        }
        caller.requireSees(account.tenant(), KIND, name);
        return account;
    }

    /**
     * An account that this caller may change, for a change of a resource that belongs to it.
     *
     * @throws ProblemException {@link ProblemKind#NOT_FOUND} if the account does not exist, is deleted, or the caller
     *     may not see it; {@link ProblemKind#FORBIDDEN} if the caller may not change it
     */
    public Account requireChanges(Caller caller, String name) {
        Account account = find(caller, name);
        caller.requireChanges(account.tenant(), KIND, name);
        if (account.state() == AccountState.DELETED) {
            throw ProblemException.notFound(KIND, name);
        }
        return account;
    }

    /**
     * An account that this caller may see.
     *
     * @throws ProblemException {@link ProblemKind#NOT_FOUND} if the account does not exist or the caller may not see it
     */
    public Account requireSees(Caller caller, String name) {
        return find(caller, name);
    }

    @Transactional
    PutOutcome<AccountView> put(Caller caller, String name, AccountSpec spec, Precondition precondition) {
        changes.begin(caller, Realm.TENANTS);
        Account known = accounts.withReplicas(name);
        String owner = owner(caller, known, spec);
        caller.requireChanges(owner, KIND, name);
        if (known != null && !known.tenant().equals(owner)) {
            throw ProblemException.of(ProblemKind.CONFLICT, "the name " + name + " is another tenant's, and stays so");
        }
        boolean ended = known != null && known.state() == AccountState.DELETED;
        precondition.check(known == null ? null : known.version(), ended);
        tenants.requireLive(owner);
        if (known == null || ended) {
            quotas.requireRoom(Quotas.What.ACCOUNTS, accounts.countLive(owner));
        }
        AccountView before = known == null ? null : AccountView.of(known);
        Account account = known == null ? new Account(name, owner, clock.instant()) : known;
        String home = spec.homeRegion() == null ? spec.replicas().getFirst().region() : spec.homeRegion();
        if (spec.replicas().stream().noneMatch(replica -> replica.region().equals(home))) {
            throw ProblemException.invalid("homeRegion", "must be the region of one of the replicas");
        }
        account.update(home, clock.instant());
        account.allow(validator.allowed(home, spec.allowedRegions()), clock.instant());
        account.avoid(validator.avoided(home, spec.avoidedRegions()), clock.instant());
        account.readThrough(ReplicaValidator.readThrough(spec), clock.instant());
        if (ended || spec.maxOfflineSeconds() != null) {
            account.goOffline(spec.maxOfflineSeconds(), clock.instant());
        }
        // The account comes first: the rows of its replicas refer to it.
        accounts.persist(account);
        validator.put(caller, account, spec.replicas(), ended);
        accounts.flush();
        AccountView after = AccountView.of(account);
        boolean created = before == null || ended;
        return changes.put(
                caller,
                new Subject(KIND, name, owner),
                Affected.resource(name),
                created,
                before,
                after,
                after.version());
    }

    /**
     * The tenant that owns the account, or is to own it: the tenant of the request, else the caller's, else the present
     * owner.
     */
    private static String owner(Caller caller, @Nullable Account known, AccountSpec spec) {
        if (spec.tenant() != null) {
            return spec.tenant();
        }
        if (caller.tenant() != null) {
            return caller.tenant();
        }
        if (known != null) {
            return known.tenant();
        }
        throw ProblemException.invalid("tenant", "is missing");
    }

    @Transactional
    void delete(Caller caller, String name, Precondition precondition) {
        changes.begin(caller, Realm.TENANTS);
        Account account = requireChanges(caller, name);
        precondition.check(account.version());
        // An account that is made anew begins without grants, placements and warmings.
        dependents.forEach(dependent -> dependent.end(caller, account));
        change(caller, account, ChangeLog.Action.DELETE, a -> a.delete(clock.instant()));
    }

    @Transactional
    PutOutcome<AccountView> limit(Caller caller, String name, Limits limits, Precondition precondition) {
        changes.begin(caller, Realm.TENANTS);
        Account account = requireChanges(caller, name);
        caller.requirePlatformAdmin();
        precondition.check(account.version());
        AccountView after = change(caller, account, ChangeLog.Action.UPDATE, a -> a.limit(limits, clock.instant()));
        return new PutOutcome<>(after, after.version(), false);
    }

    /**
     * Moves an account's home to the region of another of its replicas. The new home leaves the account's avoided
     * regions.
     *
     * @param leave whether to put the old home into the account's avoided regions
     * @throws ProblemException {@link ProblemKind#INVALID} if the account has no replica in that region or its home is
     *     there already; {@link ProblemKind#PRECONDITION_FAILED} if the ETag of the request is not the account's; like
     *     {@link #requireChanges} otherwise
     */
    @Transactional
    public void moveHome(Caller caller, String name, String home, boolean leave, Precondition precondition) {
        changes.begin(caller, Realm.TENANTS);
        Account account = requireChanges(caller, name);
        precondition.check(account.version());
        if (!account.replicas().containsKey(home)) {
            throw ProblemException.invalid("to", "must be the region of one of the account's replicas");
        }
        if (!account.allowedRegions().isEmpty() && !account.allowedRegions().contains(home)) {
            throw ProblemException.invalid("to", "must be one of the account's allowed regions");
        }
        if (home.equals(account.homeRegion())) {
            throw ProblemException.invalid("to", "is the home of " + name + " already");
        }
        Set<String> avoided = new TreeSet<>(account.avoidedRegions());
        avoided.remove(home);
        if (leave) {
            avoided.add(account.homeRegion());
        }
        change(caller, account, ChangeLog.Action.UPDATE, moved -> {
            moved.update(home, clock.instant());
            moved.avoid(List.copyOf(avoided), clock.instant());
        });
    }

    private AccountView change(Caller caller, Account account, ChangeLog.Action action, Consumer<Account> change) {
        AccountView before = AccountView.of(account);
        change.accept(account);
        accounts.flush();
        AccountView after = AccountView.of(account);
        changes.record(
                caller,
                action,
                new Subject(KIND, account.resourceName(), account.tenant()),
                before,
                after,
                Affected.resource(account.resourceName()));
        return after;
    }
}
