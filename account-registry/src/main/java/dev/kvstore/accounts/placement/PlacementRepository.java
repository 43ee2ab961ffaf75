package dev.kvstore.accounts.placement;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Placements, in the database. */
@ApplicationScoped
public class PlacementRepository implements PanacheRepositoryBase<Placement, Placement.Id> {
    List<Placement> of(String resourceName) {
        return list("id.resourceName = ?1 order by id.region", resourceName);
    }

    /** The number of accounts that an admin placed on a cluster. */
    public long countOn(String cluster) {
        return count("cluster = ?1 and not automatic", cluster);
    }

    /**
     * The number of accounts that each cluster of a region serves by their placement; a cluster without accounts is
     * left out.
     */
    Map<String, Long> countByCluster(String region) {
        return getEntityManager()
                .createQuery(
                        "select p.cluster, count(*) from Placement p where p.id.region = :region group by p.cluster",
                        Object[].class)
                .setParameter("region", region)
                .getResultStream()
                .collect(Collectors.toMap(row -> (String) row[0], row -> (Long) row[1]));
    }
}
