package dev.kvstore.control.purge;

import dev.kvstore.accounts.resolve.DatabaseWhereabouts;
import dev.kvstore.accounts.resolve.ServingRegions;
import dev.kvstore.accounts.tenant.Quotas;
import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Realm;
import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.change.ChangeLog;
import dev.kvstore.admin.change.Subject;
import dev.kvstore.admin.database.DatabaseQuery;
import dev.kvstore.admin.page.Cursor;
import dev.kvstore.admin.page.Page;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import dev.kvstore.clusters.member.Members;
import dev.kvstore.control.job.JobTable;
import dev.kvstore.control.membership.HomePlacer;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Purges: reading and making them, as far as the caller may. Thread-safe. */
@ApplicationScoped
public class Purges {
    /** The most kept purges of an account: every data plane holds them, and compares blocks on its disk with them. */
    static final int MOST_KEPT = 200;

    /** The most kept purges of a tenant, which may have thousands of accounts. */
    static final int MOST_KEPT_OF_TENANT = 2_000;

    private static final int MOST_LATE = 10;

    /** Most purges of a page: each has the storages of all regions. */
    private static final int MOST_OF_PAGE = 100;

    private static final String KIND = "purge";
    private static final String ACCOUNT = "account";
    private static final DateTimeFormatter SECOND =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    private final PurgeJobs jobs;
    private final PurgeConfirmations confirmations;
    private final Members members;
    private final DatabaseWhereabouts whereabouts;
    private final HomePlacer homes;
    private final Quotas quotas;
    private final ChangeLog changes;
    private final Clock clock;
    private final SecureRandom random;

    Purges(
            PurgeJobs jobs,
            PurgeConfirmations confirmations,
            Members members,
            DatabaseWhereabouts whereabouts,
            HomePlacer homes,
            Quotas quotas,
            ChangeLog changes,
            Clock clock,
            SecureRandom random) {
        this.jobs = jobs;
        this.confirmations = confirmations;
        this.members = members;
        this.whereabouts = whereabouts;
        this.homes = homes;
        this.quotas = quotas;
        this.changes = changes;
        this.clock = clock;
        this.random = random;
    }

    @Transactional
    Page<PurgeView> page(
            Caller caller,
            @Nullable String resourceName,
            @Nullable PurgeState state,
            @Nullable String cursor,
            int limit) {
        int most = Math.min(limit, MOST_OF_PAGE);
        List<PurgeJob> found = DatabaseQuery.answer(() ->
                jobs.page(new JobTable.JobQuery(caller.tenant(), resourceName, state), Cursor.name(cursor), most + 1));
        return Page.of(found, most, PurgeJob::id, job -> view(caller, job));
    }

    @Transactional
    PurgeView get(Caller caller, String id) {
        return view(caller, seen(caller, id));
    }

    private PurgeJob seen(Caller caller, String id) {
        return DatabaseQuery.answer(() -> jobs.find(id))
                .filter(job -> caller.sees(job.tenant()))
                .orElseThrow(() -> caller.notFound(KIND, id));
    }

    @Transactional
    PurgeView create(Caller caller, PurgeSpec spec) {
        Realm.TENANTS.require(caller);
        String account = spec.resourceName();
        ServingRegions regions = whereabouts.of(account).orElseThrow(() -> caller.notFound(ACCOUNT, account));
        caller.requireChanges(regions.tenant(), ACCOUNT, account);
        spec.check();
        changes.begin(caller, Realm.TENANTS);
        quotas.requireRoom(Quotas.What.PURGES, DatabaseQuery.answer(() -> jobs.openOfTenant(regions.tenant())));
        requireRoom(account, MOST_KEPT, () -> jobs.ofAccount(account));
        requireRoom("the tenant " + regions.tenant(), MOST_KEPT_OF_TENANT, () -> jobs.ofTenant(regions.tenant()));
        String id = "p-" + SECOND.format(clock.instant()) + "-" + String.format("%06x", random.nextInt(1 << 24));
        PurgeJob job = DatabaseQuery.answer(() -> jobs.insert(id, regions.tenant(), spec));
        if (job.regions().isEmpty()) {
            throw ProblemException.of(
                    ProblemKind.CONFLICT,
                    "no storage of " + account + " is proven to be its tenant's, so no block of it is stored anywhere");
        }
        var _ = homes.place(account, regions);
        record(caller, ChangeLog.Action.CREATE, job, null, PurgeView.of(job, null));
        return view(caller, job);
    }

    private static void requireRoom(String owner, int most, DatabaseQuery<Long> kept) {
        if (DatabaseQuery.answer(kept) >= most) {
            throw ProblemException.of(
                    ProblemKind.CONFLICT,
                    owner + " has had " + most + " purges in " + PurgeJobs.KEPT.toDays()
                            + " days: purge a whole partition, or all that a key wrote, instead of single blocks");
        }
    }

    /** Ends a purge; deleted blocks stay deleted. */
    @Transactional
    PurgeView cancel(Caller caller, String id) {
        Realm.TENANTS.require(caller);
        PurgeJob seen = seen(caller, id);
        caller.requireChanges(seen.tenant(), KIND, id);
        changes.begin(caller, Realm.TENANTS);
        return cancelled(caller, id);
    }

    private PurgeView cancelled(Caller caller, String id) {
        PurgeJob before =
                DatabaseQuery.answer(() -> jobs.find(id)).orElseThrow(() -> ProblemException.notFound(KIND, id));
        PurgeJob after = DatabaseQuery.answer(() -> jobs.cancel(id))
                .orElseThrow(() -> ProblemException.of(
                        ProblemKind.CONFLICT,
                        "the purge " + id + " is " + before.state().name().toLowerCase(Locale.ROOT)
                                + ", and stays so"));
        record(caller, ChangeLog.Action.UPDATE, after, PurgeView.of(before, null), PurgeView.of(after, null));
        return view(caller, after);
    }

    /** Cancels the purges of an account that are not over, in the transaction that deletes the account. */
    @Transactional(Transactional.TxType.MANDATORY)
    public void cancelAll(Caller caller, String resourceName) {
        for (String id : DatabaseQuery.answer(() -> jobs.openOf(resourceName))) {
            changes.begin(caller, Realm.TENANTS);
            var _ = cancelled(caller, id);
        }
    }

    private void record(
            Caller caller, ChangeLog.Action action, PurgeJob job, @Nullable PurgeView before, PurgeView after) {
        changes.record(caller, action, new Subject(KIND, job.id(), job.tenant()), before, after, Affected.NONE);
    }

    /**
     * The purge as a caller sees it: a tenant sees the number of data planes that the purge waits for, the platform's
     * callers also their names.
     */
    private PurgeView view(Caller caller, PurgeJob job) {
        if (job.state() != PurgeState.TELLING && job.state() != PurgeState.FORGETTING) {
            return PurgeView.of(job, null);
        }
        PurgeConfirmations.Unconfirmed late =
                DatabaseQuery.answer(() -> confirmations.unconfirmed(job, members.now(), MOST_LATE));
        return PurgeView.of(job, late.text(caller.seesAll()));
    }
}
