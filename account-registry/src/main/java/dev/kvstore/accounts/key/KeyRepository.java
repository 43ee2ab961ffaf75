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

    /** The number of a tenant's keys that have not ended. */
    long countGood(String tenant, Instant now) {
        return count("tenant = ?1 and revokedAt is null and (expiresAt is null or expiresAt > ?2)", tenant, now);
    }

    /** The number of a tenant's keys, ended keys that are not forgotten yet included. */
    long countOf(String tenant) {
        return count("tenant", tenant);
    }

    /** A tenant's keys that have not ended, by id, up to a limit. */
    List<KeyView> good(String tenant, Instant now, int limit) {
        return getEntityManager()
                .createQuery("""
                        select new dev.kvstore.accounts.key.KeyView(k.id, k.tenant, k.label, k.createdAt, k.expiresAt,
                            k.revokedAt, k.successor, k.version)
                        from ApiKey k where k.tenant = :tenant and k.revokedAt is null
                        and (k.expiresAt is null or k.expiresAt > :now) order by k.id""", KeyView.class)
                .setParameter("tenant", tenant)
                .setParameter("now", now)
                .setMaxResults(limit)
                .getResultList();
    }

    /** Revokes keys. */
    void revoke(List<String> ids, Instant now) {
        getEntityManager()
                .createQuery("update versioned ApiKey k set k.revokedAt = :now where k.id in :ids")
                .setParameter("now", now)
                .setParameter("ids", ids)
                .executeUpdate();
    }

    /** The ids of a tenant's keys that have not ended, up to a limit. */
    public List<String> ids(String tenant, Instant now, int limit) {
        return getEntityManager()
                .createQuery("""
                        select k.id from ApiKey k where k.tenant = :tenant and k.revokedAt is null
                        and (k.expiresAt is null or k.expiresAt > :now)""", String.class)
                .setParameter("tenant", tenant)
                .setParameter("now", now)
                .setMaxResults(limit)
                .getResultList();
    }

    /** Whether an id belonged to a key that is forgotten by now. */
    boolean isForgotten(String id) {
        return !getEntityManager()
                .createNativeQuery("select id from forgotten_key where id = :id", String.class)
                .setParameter("id", id)
                .getResultList()
                .isEmpty();
    }

    /**
     * Forgets keys that ended before a time, the oldest first, and keeps their ids. A key that a grant names stays,
     * since the grant also holds for the keys that replaced it by rotation. A key that replaced another one stays as
     * long as that other key.
     *
     * @return the number of forgotten keys
     */
    int forget(Instant oldest, int limit) {
        return getEntityManager()
                .createNativeQuery("""
                        with gone as (
                            delete from api_key where id in (
                                select k.id from api_key k
                                where least(k.revoked_at, k.expires_at) <= :oldest
                                and not exists (select 1 from account_grant g where g.key_id = k.id)
                                and not exists (select 1 from api_key before where before.successor = k.id)
                                order by least(k.revoked_at, k.expires_at) limit :limit)
                            returning id)
                        insert into forgotten_key select id from gone""")
                .setParameter("oldest", oldest)
                .setParameter("limit", limit)
                .executeUpdate();
    }
}
