package dev.kvstore.clusters.cluster;

import dev.kvstore.clusters.region.RegionClusters;
import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Clusters, in the database. */
@ApplicationScoped
public class ClusterRepository implements PanacheRepositoryBase<Cluster, String>, RegionClusters {
    List<Cluster> page(String after, @Nullable String region, @Nullable ClusterState state, int limit) {
        return getEntityManager()
                .createQuery("""
                        from Cluster c where c.name > :after
                        and (:region is null or c.region = :region) and (:state is null or c.state = :state)
                        order by c.name""", Cluster.class)
                .setParameter("after", after)
                .setParameter("region", region)
                .setParameter("state", state)
                .setMaxResults(limit)
                .getResultList();
    }

    @Override
    public long countIn(String region) {
        return count("region", region);
    }

    /** Whether a region has a cluster of this name. */
    public boolean has(String region, String name) {
        Cluster cluster = findById(name);
        return cluster != null && cluster.region().equals(region);
    }
}
