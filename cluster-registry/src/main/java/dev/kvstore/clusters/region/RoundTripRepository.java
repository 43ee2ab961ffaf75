package dev.kvstore.clusters.region;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** Round trips between regions, in the database. */
@ApplicationScoped
public class RoundTripRepository implements PanacheRepositoryBase<RoundTrip, RoundTrip.Id> {
    List<RoundTrip> of(String region) {
        return list("id.one = ?1 or id.other = ?1 order by id.one, id.other", region);
    }
}
