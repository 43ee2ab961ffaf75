package dev.kvstore.accounts.grant;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Grants, in the database. */
@ApplicationScoped
public class GrantRepository implements PanacheRepositoryBase<Grant, Grant.Id> {
    List<Grant> page(String resourceName, String after, int limit) {
        return find("id.resourceName = ?1 and id.name > ?2 order by id.name", resourceName, after)
                .page(0, limit)
                .list();
    }

    List<Grant> received(String grantee, String afterResource, String afterName, int limit) {
        return find(
                        "grantee = ?1 and (id.resourceName > ?2 or (id.resourceName = ?2 and id.name > ?3))"
                                + " order by id.resourceName, id.name",
                        grantee,
                        afterResource,
                        afterName)
                .page(0, limit)
                .list();
    }

    /** The number of grants of an account. */
    long countOf(String resourceName) {
        return count("id.resourceName", resourceName);
    }

    /** The number of grants that a tenant's accounts give to another tenant. */
    long countTo(String grantee, String owner) {
        return count(
                "grantee = ?1 and id.resourceName in (select a.resourceName from Account a where a.tenant = ?2)",
                grantee,
                owner);
    }

    /** The owners of accounts that exist, by the accounts' names. */
    Map<String, String> owners(Set<String> resourceNames) {
        return getEntityManager()
                .createQuery(
                        "select a.resourceName, a.tenant from Account a where a.resourceName in :names", Object[].class)
                .setParameter("names", resourceNames)
                .getResultList()
                .stream()
                .collect(Collectors.toMap(row -> (String) row[0], row -> (String) row[1]));
    }
}
