package dev.kvstore.accounts.key;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;

/** API keys, in the database. */
@ApplicationScoped
public class KeyRepository implements PanacheRepositoryBase<ApiKey, String> {
    List<ApiKey> page(String tenant, String after, int limit) {
        return find("tenant = ?1 and id > ?2 order by id", tenant, after)
                .page(0, limit)
                .list();
    }

    /** A tenant's keys that are not over. */
    long countGood(String tenant, Instant now) {
        return count("tenant = ?1 and revokedAt is null and (expiresAt is null or expiresAt > ?2)", tenant, now);
    }

    /** A tenant's keys that were not revoked, by id. */
    List<ApiKey> unrevoked(String tenant) {
        return list("tenant = ?1 and revokedAt is null order by id", tenant);
    }

    /** The ids of all of a tenant's keys that were not revoked. */
    public List<String> ids(String tenant) {
        return getEntityManager()
                .createQuery("select k.id from ApiKey k where k.tenant = :tenant and k.revokedAt is null", String.class)
                .setParameter("tenant", tenant)
                .getResultList();
    }
}
