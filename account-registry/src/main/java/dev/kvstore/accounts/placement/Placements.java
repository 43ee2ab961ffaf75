package dev.kvstore.accounts.placement;

import dev.kvstore.accounts.account.Account;
import dev.kvstore.accounts.account.Accounts;
import dev.kvstore.accounts.account.Neighbours;
import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.change.ChangeLog;
import dev.kvstore.admin.change.Subject;
import dev.kvstore.admin.page.Outcome;
import dev.kvstore.admin.page.Page;
import dev.kvstore.admin.page.Precondition;
import dev.kvstore.admin.problem.ProblemException;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;

/** Placements, for those who may see and change them. Thread-safe. */
@ApplicationScoped
public class Placements {
    private static final String KIND = "placement";

    private final PlacementRepository placements;
    private final Accounts accounts;
    private final Neighbours neighbours;
    private final ChangeLog changes;

    Placements(PlacementRepository placements, Accounts accounts, Neighbours neighbours, ChangeLog changes) {
        this.placements = placements;
        this.accounts = accounts;
        this.neighbours = neighbours;
        this.changes = changes;
    }

    @Transactional
    Page<PlacementView> of(Caller caller, String resourceName) {
        accounts.requireSees(caller, resourceName);
        return new Page<>(
                placements.of(resourceName).stream().map(PlacementView::of).toList(), null);
    }

    @Transactional
    Outcome<PlacementView> put(
            Caller caller, String resourceName, String region, PlacementSpec spec, Precondition precondition) {
        changes.begin();
        Account account = accounts.requireChanges(caller, resourceName);
        caller.requirePlatformAdmin();
        if (!neighbours.hasCluster(region, spec.cluster())) {
            throw ProblemException.invalid("cluster", "must be a cluster that is registered in " + region);
        }
        Placement.Id id = new Placement.Id(resourceName, region);
        Placement known = placements.findById(id);
        precondition.check(known == null ? null : known.version());
        PlacementView before = known == null ? null : PlacementView.of(known);
        Placement placement = known == null ? new Placement(id) : known;
        placement.update(spec.cluster(), Boolean.TRUE.equals(spec.pinned()));
        placements.persistAndFlush(placement);
        PlacementView after = PlacementView.of(placement);
        changes.record(
                caller,
                before == null ? ChangeLog.Action.CREATE : ChangeLog.Action.UPDATE,
                new Subject(KIND, resourceName + "/" + region, account.tenant()),
                before,
                after,
                Affected.resource(resourceName));
        return new Outcome<>(after, after.version(), before == null);
    }

    @Transactional
    void delete(Caller caller, String resourceName, String region, Precondition precondition) {
        changes.begin();
        Account account = accounts.requireChanges(caller, resourceName);
        caller.requirePlatformAdmin();
        Placement placement = placements.findById(new Placement.Id(resourceName, region));
        if (placement == null) {
            throw ProblemException.notFound(KIND, region);
        }
        precondition.check(placement.version());
        placements.delete(placement);
        changes.record(
                caller,
                ChangeLog.Action.DELETE,
                new Subject(KIND, resourceName + "/" + region, account.tenant()),
                PlacementView.of(placement),
                null,
                Affected.resource(resourceName));
    }
}
