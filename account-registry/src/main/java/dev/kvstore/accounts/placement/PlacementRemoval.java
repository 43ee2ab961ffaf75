package dev.kvstore.accounts.placement;

import dev.kvstore.accounts.account.Account;
import dev.kvstore.accounts.account.AccountDependent;
import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.change.Affected;
import dev.kvstore.admin.change.ChangeLog;
import dev.kvstore.admin.change.Subject;
import jakarta.enterprise.context.ApplicationScoped;

/** Removes placements, each with a change of its own in the log. Thread-safe. */
@ApplicationScoped
public class PlacementRemoval implements AccountDependent {
    static final String KIND = "placement";

    private final PlacementRepository placements;
    private final ChangeLog changes;

    PlacementRemoval(PlacementRepository placements, ChangeLog changes) {
        this.placements = placements;
        this.changes = changes;
    }

    @Override
    public void end(Caller caller, Account account) {
        placements.of(account.resourceName()).forEach(placement -> remove(caller, placement, account.tenant()));
    }

    /**
     * Removes one placement, in a transaction that has begun a change.
     *
     * @param owner of the account
     */
    void remove(Caller caller, Placement placement, String owner) {
        String resourceName = placement.id().resourceName();
        placements.delete(placement);
        changes.delete(
                caller,
                new Subject(KIND, resourceName + "/" + placement.id().region(), owner),
                PlacementView.of(placement),
                Affected.resource(resourceName));
    }
}
