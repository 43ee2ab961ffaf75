package dev.kvstore.control.warming.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.accounts.account.AccountReferences;
import dev.kvstore.accounts.resolve.DatabaseReplicas;
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
import dev.kvstore.control.job.JobTable;
import dev.kvstore.control.membership.HomePlacer;
import dev.kvstore.control.warming.Command;
import dev.kvstore.control.warming.Jobs;
import dev.kvstore.control.warming.Selection;
import dev.kvstore.control.warming.Warming;
import dev.kvstore.control.warming.WarmingFailures;
import dev.kvstore.control.warming.WarmingState;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Warmings: reading and changing them, as far as the caller may. Thread-safe. */
@ApplicationScoped
public class Warmings {
    /** Most warmings of an account that are not over, since each takes a part of its storage's capacity. */
    public static final int MOST_OPEN = 8;

    private static final String KIND = "warming";
    private static final String ACCOUNT = "account";
    private static final Jobs.WarmingPace NO_PACE = new Jobs.WarmingPace(0, "");
    private static final DateTimeFormatter SECOND =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    private final Jobs jobs;
    private final WarmingFailures failures;
    private final DatabaseWhereabouts whereabouts;
    private final HomePlacer homes;
    private final DatabaseReplicas replicas;
    private final AccountReferences references;
    private final Quotas quotas;
    private final ChangeLog changes;
    private final ObjectMapper json;
    private final Clock clock;
    private final SecureRandom random;

    Warmings(
            Jobs jobs,
            WarmingFailures failures,
            DatabaseWhereabouts whereabouts,
            HomePlacer homes,
            DatabaseReplicas replicas,
            AccountReferences references,
            Quotas quotas,
            ChangeLog changes,
            ObjectMapper json,
            Clock clock,
            SecureRandom random) {
        this.jobs = jobs;
        this.failures = failures;
        this.whereabouts = whereabouts;
        this.homes = homes;
        this.replicas = replicas;
        this.references = references;
        this.quotas = quotas;
        this.changes = changes;
        this.json = json;
        this.clock = clock;
        this.random = random;
    }

    @Transactional
    Page<WarmingView> page(
            Caller caller,
            @Nullable String resourceName,
            @Nullable WarmingState state,
            @Nullable String cursor,
            int limit) {
        JobTable.JobQuery query = new JobTable.JobQuery(caller.tenant(), resourceName, state);
        List<Warming> found = DatabaseQuery.answer(() -> jobs.page(query, Cursor.name(cursor), limit + 1));
        Map<String, Jobs.WarmingPace> paces = paces(found);
        return Page.of(found, limit, Warming::id, job -> view(job, paces));
    }

    @Transactional
    WarmingView get(Caller caller, String id) {
        return view(seen(caller, id));
    }

    private Warming seen(Caller caller, String id) {
        return DatabaseQuery.answer(() -> jobs.find(id))
                .filter(job -> caller.sees(job.tenant()))
                .orElseThrow(() -> caller.notFound(KIND, id));
    }

    @Transactional
    Page<FailureView> failures(Caller caller, String id, @Nullable String cursor, int limit) {
        Warming job = seen(caller, id);
        FailureCursor after = FailureCursor.of(Cursor.name(cursor));
        List<WarmingFailures.CopyFailure> found =
                DatabaseQuery.answer(() -> failures.page(job.id(), after.chunk(), after.block(), limit + 1));
        return Page.of(found, limit, FailureCursor::name, FailureView::of);
    }

    @Transactional
    WarmingView create(Caller caller, WarmingSpec spec) {
        Realm.TENANTS.require(caller);
        String account = spec.resourceName();
        ServingRegions regions = whereabouts.of(account).orElseThrow(() -> caller.notFound(ACCOUNT, account));
        caller.requireChanges(regions.tenant(), ACCOUNT, account);
        Instant now = clock.instant();
        spec.select().check(now);
        requireEvery(spec);
        changes.begin(caller, Realm.TENANTS);
        requirePlace("from", spec.from(), account);
        requirePlace("to", spec.to(), account);
        if (spec.from().equals(spec.to())) {
            throw ProblemException.invalid("to", "must be another region than from");
        }
        if (DatabaseQuery.answer(() -> jobs.openOf(account)).size() >= MOST_OPEN) {
            throw ProblemException.of(
                    ProblemKind.CONFLICT,
                    account + " has " + MOST_OPEN + " warmings that are not over: cancel one, or wait");
        }
        quotas.requireRoom(Quotas.What.WARMINGS, DatabaseQuery.answer(() -> jobs.openOfTenant(regions.tenant())));
        Warming job = DatabaseQuery.answer(() -> jobs.insert(job(spec, regions.tenant(), now)));
        var _ = homes.place(account, regions);
        WarmingView made = view(job);
        record(caller, ChangeLog.Action.CREATE, job, null, made);
        return made;
    }

    private static void requireEvery(WarmingSpec spec) {
        Long every = spec.everySeconds();
        if (every == null) {
            return;
        }
        if (spec.select().prefix() != null) {
            throw ProblemException.invalid("everySeconds", "has no meaning for a prefix: its blocks do not change");
        }
        if (spec.select().isListed() && every < WarmingSpec.LEAST_SECONDS_LISTED) {
            throw ProblemException.invalid(
                    "everySeconds",
                    "must be " + WarmingSpec.LEAST_SECONDS_LISTED
                            + " or more where storage is listed: select used, or hottestBytes");
        }
    }

    private void requirePlace(String field, String region, String account) {
        if (!references.hasRegion(region)) {
            throw ProblemException.invalid(field, "must be a region that is registered");
        }
        DatabaseReplicas.RegionReplica replica = replicas.of(account, region)
                .orElseThrow(() -> ProblemException.invalid(
                        field, "must be a region with a replica of " + account + ": add one to the account"));
        if (!replica.serves()) {
            throw ProblemException.of(
                    ProblemKind.CONFLICT,
                    field + ": the replica of " + account + " in " + region
                            + " has passed no trial yet: see its state in the account");
        }
    }

    private Warming job(WarmingSpec spec, String tenant, Instant now) {
        String id = "w-" + SECOND.format(now) + "-" + String.format("%06x", random.nextInt(1 << 24));
        Warming.WarmingCount none = new Warming.WarmingCount(0, 0);
        return new Warming(
                id,
                spec.resourceName(),
                tenant,
                spec.from(),
                spec.to(),
                text(spec.select()),
                new Warming.Budget(spec.bytesPerSecondOrUsual(), spec.requestsPerSecondOrUsual()),
                spec.preheatOrStorage(),
                WarmingState.PLANNING,
                null,
                null,
                false,
                spec.select().isListed(),
                spec.everySeconds() == null ? null : Duration.ofSeconds(spec.everySeconds()),
                null,
                null,
                null,
                new Warming.WarmingTally(none, none, none, none),
                now,
                null,
                null,
                0);
    }

    /** Pauses, resumes or cancels a warming. */
    @Transactional
    WarmingView obey(Caller caller, String id, Command command) {
        Realm.TENANTS.require(caller);
        Warming seen = seen(caller, id);
        caller.requireChanges(seen.tenant(), KIND, id);
        changes.begin(caller, Realm.TENANTS);
        Jobs.Obeyed done = DatabaseQuery.answer(() -> jobs.obey(id, command))
                .orElseThrow(() -> ProblemException.notFound(KIND, id));
        if (!done.possible()) {
            throw ProblemException.of(
                    ProblemKind.CONFLICT,
                    "the warming " + id + " is " + word(done.before().state()) + ", and stays so: make a new one");
        }
        return obeyed(caller, done);
    }

    /** Cancels the warmings of an account that are not over, in the transaction that deletes the account. */
    @Transactional(Transactional.TxType.MANDATORY)
    public void cancelAll(Caller caller, String resourceName) {
        for (String id : DatabaseQuery.answer(() -> jobs.openOf(resourceName))) {
            changes.begin(caller, Realm.TENANTS);
            // The warming may have ended by itself meanwhile.
            DatabaseQuery.answer(() -> jobs.obey(id, Command.CANCEL))
                    .filter(Jobs.Obeyed::possible)
                    .ifPresent(done -> obeyed(caller, done));
        }
    }

    private WarmingView obeyed(Caller caller, Jobs.Obeyed done) {
        WarmingView view = view(done.after());
        if (done.after().state() != done.before().state()) {
            record(caller, ChangeLog.Action.UPDATE, done.after(), view(done.before()), view);
        }
        return view;
    }

    private static String word(WarmingState state) {
        return state.name().toLowerCase(java.util.Locale.ROOT);
    }

    private void record(
            Caller caller, ChangeLog.Action action, Warming job, @Nullable WarmingView before, WarmingView after) {
        changes.record(caller, action, new Subject(KIND, job.id(), job.tenant()), before, after, Affected.NONE);
    }

    private Map<String, Jobs.WarmingPace> paces(List<Warming> found) {
        List<String> running = found.stream()
                .filter(job -> job.state() == WarmingState.RUNNING)
                .map(Warming::id)
                .toList();
        return running.isEmpty() ? Map.of() : DatabaseQuery.answer(() -> jobs.paces(running));
    }

    private WarmingView view(Warming job) {
        return view(job, paces(List.of(job)));
    }

    private WarmingView view(Warming job, Map<String, Jobs.WarmingPace> paces) {
        Jobs.WarmingPace pace = paces.getOrDefault(job.id(), NO_PACE);
        try {
            // Fields that only a later version knows are ignored, so that the warmings of that version can be listed.
            Selection selection = json.readerFor(Selection.class)
                    .without(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .readValue(job.selection());
            return WarmingView.of(job, selection, pace);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the selection of " + job.id() + " cannot be read", e);
        }
    }

    private String text(Selection selection) {
        try {
            return json.writeValueAsString(selection);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a selection cannot be written", e);
        }
    }
}
