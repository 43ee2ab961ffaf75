package dev.kvstore.accounts.placement;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** Placements, in the database. */
@ApplicationScoped
public class PlacementRepository implements PanacheRepositoryBase<Placement, Placement.Id> {
    List<Placement> of(String resourceName) {
        return list("id.resourceName = ?1 order by id.region", resourceName);
    }

    /** How many accounts a cluster serves by their placement. */
    public long countOn(String cluster) {
        return count("cluster", cluster);
    }
}
