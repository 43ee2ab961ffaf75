package dev.kvstore.clusters.region;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** Regions, in the database. */
@ApplicationScoped
public class RegionRepository implements PanacheRepositoryBase<Region, String> {
    List<Region> page(String after, int limit) {
        return find("name > ?1 order by name", after).page(0, limit).list();
    }

    /** Whether a region of this name exists. */
    public boolean has(String name) {
        return findById(name) != null;
    }
}
