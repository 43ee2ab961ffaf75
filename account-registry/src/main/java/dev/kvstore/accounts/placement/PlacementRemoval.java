package dev.kvstore.accounts.placement;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.change.ChangeLog;
import dev.kvstore.admin.change.Subject;
import jakarta.enterprise.context.ApplicationScoped;

/** Takes placements out, each with a change of its own in the log. Thread-safe. */
@ApplicationScoped
public class PlacementRemoval {
    static final String KIND = "placement";

    private final PlacementRepository placements;
    private final ChangeLog changes;

    PlacementRemoval(PlacementRepository placements, ChangeLog changes) {
        this.placements = placements;
        this.changes = changes;
    }

    /**
     * Takes out all placements of an account, in a transaction that has begun a change.
     *
     * @param owner of the account
     */
    public void removeOf(Caller caller, String resourceName, String owner) {
        placements.of(resourceName).forEach(placement -> remove(caller, placement, owner));
    }

    /**
     * Takes one placement out, in a transaction that has begun a change.
     *
     * @param owner of the account
     */
    void remove(Caller caller, Placement placement, String owner) {
        String resourceName = placement.id().resourceName();
        placements.delete(placement);
        changes.record(
                caller,
                ChangeLog.Action.DELETE,
                new Subject(KIND, resourceName + "/" + placement.id().region(), owner),
                PlacementView.of(placement),
                null,
                Affected.resource(resourceName));
    }
}
