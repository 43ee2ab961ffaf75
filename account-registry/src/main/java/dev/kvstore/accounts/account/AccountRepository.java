package dev.kvstore.accounts.account;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.TypedQuery;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.Session;
import org.jspecify.annotations.Nullable;

/** Storage accounts, in the database. */
@ApplicationScoped
public class AccountRepository implements PanacheRepositoryBase<Account, String> {
    /** A page of accounts without their replicas. */
    List<Account> page(
            String after, @Nullable String tenant, @Nullable String region, @Nullable AccountState state, int limit) {
        // The query has only the conditions that the caller sets: a condition that may be null hides from PostgreSQL
        // which index serves.
        Map<String, Object> values = new LinkedHashMap<>(Map.of("after", after));
        StringBuilder query = new StringBuilder("from Account a where a.resourceName > :after");
        if (tenant != null) {
            query.append(" and a.tenant = :tenant");
            values.put("tenant", tenant);
        }
        if (state != null) {
            query.append(" and a.state = :state");
            values.put("state", state);
        }
        if (region != null) {
            // Accounts and replicas both get the condition of where the page begins: otherwise PostgreSQL may look at
            // all replicas before it.
            query.append(" and exists (select 1 from Replica r where r.id.resourceName = a.resourceName"
                    + " and r.id.region = :region and r.id.resourceName > :after)");
            values.put("region", region);
        }
        TypedQuery<Account> page = getEntityManager().createQuery(query + " order by a.resourceName", Account.class);
        values.forEach(page::setParameter);
        return page.setMaxResults(limit).getResultList();
    }

    /** The bytes of accounts' replicas, about. */
    List<Long> bytes(List<Account> accounts) {
        Map<String, Long> bytes = new HashMap<>();
        getEntityManager()
                .createQuery("""
                        select r.id.resourceName, sum(200 + length(r.storage.endpoint) + length(r.storage.credential)
                            + coalesce(length(cast(r.report as String)), 0))
                        from Replica r where r.id.resourceName in :names group by r.id.resourceName""", Object[].class)
                .setParameter(
                        "names", accounts.stream().map(Account::resourceName).toList())
                .getResultList()
                .forEach(row -> bytes.put((String) row[0], ((Number) row[1]).longValue()));
        return accounts.stream()
                .map(account -> bytes.getOrDefault(account.resourceName(), 0L))
                .toList();
    }

    /** Reads the replicas of accounts in one query, not one for each account. */
    void readReplicas(List<Account> accounts) {
        getEntityManager()
                .createQuery("from Account a left join fetch a.replicas where a in :accounts", Account.class)
                .setParameter("accounts", accounts)
                .getResultList();
    }

    /** An account with its replicas; null if there is none. */
    public @Nullable Account withReplicas(String resourceName) {
        return getEntityManager()
                .createQuery("from Account a left join fetch a.replicas where a.resourceName = :name", Account.class)
                .setParameter("name", resourceName)
                .getSingleResultOrNull();
    }

    /** A tenant's accounts that are not deleted. */
    public long countLive(String tenant) {
        return count("tenant = ?1 and state = ?2", tenant, AccountState.ACTIVE);
    }

    /** The names of a tenant's accounts that are not deleted. */
    public List<String> names(String tenant) {
        return getEntityManager()
                .createQuery(
                        "select a.resourceName from Account a where a.tenant = :tenant and a.state = :state",
                        String.class)
                .setParameter("tenant", tenant)
                .setParameter("state", AccountState.ACTIVE)
                .getResultList();
    }

    /** The cluster on which an account is placed in a region; null for none. */
    @Nullable
    String placed(String resourceName, String region) {
        return getEntityManager()
                .createQuery(
                        "select p.cluster from Placement p where p.id.resourceName = :name and p.id.region = :region",
                        String.class)
                .setParameter("name", resourceName)
                .setParameter("region", region)
                .getSingleResultOrNull();
    }

    /**
     * Replicas of a region that are to be tried now, locked until this transaction ends: one of each tenant before a
     * second of any. Replicas of regions without data planes are among them, if nothing is to be proven there.
     *
     * @param clusters clusters of the region that have a data plane for trials
     * @param watched regions that have such clusters
     * @param before a replica that only clusters could try which have just done so is left to other control planes, unless
     *     it was due then
     */
    List<Replica> toProbe(
            String region, List<String> clusters, List<String> watched, Instant now, Instant before, int limit) {
        return getEntityManager()
                .unwrap(Session.class)
                .createNativeQuery("""
                        with due as (
                            select r.resource_name, r.region, r.probe_after,
                                row_number() over (partition by a.tenant order by r.probe_after) as turn
                            from replica r join account a using (resource_name)
                            where (r.region = :region or ((r.proven or r.vouched)
                                    and not r.region = any(cast(:watched as text[]))))
                                and (r.state <> 'READY' or r.asked) and a.state = 'ACTIVE'
                            and r.probe_after <= :now
                            and (r.probe_after <= :before
                                or exists (select from unnest(cast(:clusters as text[])) c
                                    where c is distinct from r.tried_by
                                    and (r.proven or r.vouched or c is distinct from r.confirmed_by)))),
                        first as (select * from due order by turn, probe_after limit :limit)
                        select r.* from replica r join first using (resource_name, region)
                        where (r.state <> 'READY' or r.asked) and r.probe_after <= :now
                        order by first.turn, r.probe_after
                        for update of r skip locked""", Replica.class)
                .setParameter("now", now)
                .setParameter("before", before)
                .setParameter("region", region)
                .setParameter("clusters", clusters.toArray(String[]::new))
                .setParameter("watched", watched.toArray(String[]::new))
                .setParameter("limit", limit)
                .getResultList();
    }

    /** Requests a trial of each of an account's replicas, ready or not; changes nothing else of them. */
    void probeNow(String resourceName, Instant now) {
        getEntityManager()
                .createQuery("""
                        update Replica r set r.probeAfter = :now, r.asked = true where r.id.resourceName = :name""")
                .setParameter("now", now)
                .setParameter("name", resourceName)
                .executeUpdate();
    }

    @Nullable
    Replica replica(String resourceName, String region) {
        return getEntityManager().find(Replica.class, new Replica.Id(resourceName, region));
    }

    /** Whether a container was proven or vouched for under another name or in another region. */
    boolean isAnothers(StorageRow storage, String resourceName, String region) {
        return !getEntityManager()
                .createQuery("""
                        select r.id.region from Replica r
                        where r.storage.endpoint = :endpoint and r.storage.container = :container and (r.proven or r.vouched)
                        and not (r.id.resourceName = :name and r.id.region = :region)""", String.class)
                .setParameter("endpoint", storage.endpoint())
                .setParameter("container", storage.container())
                .setParameter("name", resourceName)
                .setParameter("region", region)
                .setMaxResults(1)
                .getResultList()
                .isEmpty();
    }

    /** The number of replicas in a region, of accounts that are not deleted. */
    public long countIn(String region) {
        return getEntityManager()
                .createQuery("""
                        select count(*) from Replica r, Account a
                        where a.resourceName = r.id.resourceName and r.id.region = :region and a.state = :state""", Long.class)
                .setParameter("region", region)
                .setParameter("state", AccountState.ACTIVE)
                .getSingleResult();
    }
}
