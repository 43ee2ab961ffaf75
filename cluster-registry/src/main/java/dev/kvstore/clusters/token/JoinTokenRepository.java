package dev.kvstore.clusters.token;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

/** Join tokens, in the database. */
@ApplicationScoped
public class JoinTokenRepository implements PanacheRepositoryBase<JoinToken, String> {
    List<JoinToken> page(String cluster, String after, int limit) {
        return find("cluster = ?1 and id > ?2 order by id", cluster, after)
                .page(0, limit)
                .list();
    }

    long countOf(String cluster) {
        return count("cluster", cluster);
    }
}
