package dev.kvstore.accounts.placement;

import dev.kvstore.accounts.account.Account;
import dev.kvstore.accounts.account.AccountReferences;
import dev.kvstore.accounts.account.Accounts;
import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Realm;
import dev.kvstore.admin.caller.Role;
import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.change.ChangeLog;
import dev.kvstore.admin.change.Subject;
import dev.kvstore.admin.page.Page;
import dev.kvstore.admin.page.Precondition;
import dev.kvstore.admin.page.PutOutcome;
import dev.kvstore.admin.problem.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;
import java.time.Clock;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Placements: reading and changing them, as far as the caller may. Thread-safe. */
@ApplicationScoped
public class Placements {
    private static final String KIND = PlacementRemoval.KIND;

    /** The author of automatic placements. */
    private static final Caller PLATFORM = new Caller("control-plane", Role.PLATFORM_ADMIN, null);

    private final PlacementRepository placements;
    private final PlacementRemoval removal;
    private final Accounts accounts;
    private final AccountReferences references;
    private final ChangeLog changes;
    private final Clock clock;

    Placements(
            PlacementRepository placements,
            PlacementRemoval removal,
            Accounts accounts,
            AccountReferences references,
            ChangeLog changes,
            Clock clock) {
        this.placements = placements;
        this.removal = removal;
        this.accounts = accounts;
        this.references = references;
        this.changes = changes;
        this.clock = clock;
    }

    @Transactional
    Page<PlacementView> of(Caller caller, String resourceName) {
        accounts.requireSees(caller, resourceName);
        return new Page<>(
                placements.of(resourceName).stream().map(PlacementView::of).toList(), null);
    }

    @Transactional
    PlacementView get(Caller caller, String resourceName, String region) {
        accounts.requireSees(caller, resourceName);
        Placement placement = placements.findById(new Placement.Id(resourceName, region));
        if (placement == null) {
            throw ProblemException.notFound(KIND, region);
        }
        return PlacementView.of(placement);
    }

    @Transactional
    PutOutcome<PlacementView> put(
            Caller caller, String resourceName, String region, PlacementSpec spec, Precondition precondition) {
        changes.begin(caller, Realm.TENANTS);
        Account account = accounts.requireChanges(caller, resourceName);
        caller.requirePlatformAdmin();
        if (!references.hasCluster(region, spec.cluster())) {
            throw ProblemException.invalid("cluster", "must be a cluster that is registered in " + region);
        }
        Placement.Id id = new Placement.Id(resourceName, region);
        Placement known = placements.findById(id);
        precondition.check(known == null ? null : known.version());
        PlacementView before = known == null ? null : PlacementView.of(known);
        Placement placement = known == null ? new Placement(id, clock.instant()) : known;
        placement.update(spec.cluster(), Boolean.TRUE.equals(spec.pinned()));
        placements.persistAndFlush(placement);
        PlacementView after = PlacementView.of(placement);
        return changes.put(
                caller,
                new Subject(KIND, resourceName + "/" + region, account.tenant()),
                Affected.resource(resourceName),
                before == null,
                before,
                after,
                after.version());
    }

    /**
     * Places an account by the platform's choice: on the cluster with the most headroom for each account that is placed
     * there, this account included. A placement by an admin stays, and so does an automatic one whose cluster may be
     * chosen.
     *
     * @param headroom of the clusters that may be chosen, in bytes per second, by their names
     * @return the cluster on which the account is placed now; null if no cluster may be chosen and there was no
     *     placement
     */
    @Transactional
    public @Nullable String choose(String resourceName, String region, SortedMap<String, Double> headroom) {
        changes.begin(PLATFORM, Realm.TENANTS);
        Account account = accounts.requireChanges(PLATFORM, resourceName);
        Placement.Id id = new Placement.Id(resourceName, region);
        Placement known = placements.findById(id);
        boolean stays = known != null && (!known.automatic() || headroom.containsKey(known.cluster()));
        if (stays || headroom.isEmpty()) {
            return known == null ? null : known.cluster();
        }
        Map<String, Long> placed = placements.countByCluster(region);
        String best = Collections.max(
                headroom.keySet(),
                Comparator.comparingDouble((String cluster) ->
                                headroom.getOrDefault(cluster, 0.0) / (placed.getOrDefault(cluster, 0L) + 1))
                        .thenComparing(Comparator.reverseOrder()));
        PlacementView before = known == null ? null : PlacementView.of(known);
        Placement placement = known == null ? new Placement(id, clock.instant()) : known;
        placement.choose(best);
        placements.persistAndFlush(placement);
        changes.record(
                PLATFORM,
                before == null ? ChangeLog.Action.CREATE : ChangeLog.Action.UPDATE,
                new Subject(KIND, resourceName + "/" + region, account.tenant()),
                before,
                PlacementView.of(placement),
                Affected.resource(resourceName));
        return best;
    }

    @Transactional
    void delete(Caller caller, String resourceName, String region, Precondition precondition) {
        changes.begin(caller, Realm.TENANTS);
        Account account = accounts.requireChanges(caller, resourceName);
        caller.requirePlatformAdmin();
        Placement placement = placements.findById(new Placement.Id(resourceName, region));
        if (placement == null) {
            throw ProblemException.notFound(KIND, region);
        }
        precondition.check(placement.version());
        removal.remove(caller, placement, account.tenant());
    }
}
