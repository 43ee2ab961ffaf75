package dev.kvstore.accounts.grant;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;

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

    /** How many there are of an account. */
    long countOf(String resourceName) {
        return count("id.resourceName", resourceName);
    }

    /** All grants of an account. */
    List<Grant> of(String resourceName) {
        return list("id.resourceName = ?1 order by id.name", resourceName);
    }

    /** All grants that other tenants gave a tenant. */
    List<Grant> to(String grantee) {
        return list("grantee = ?1 order by id.resourceName, id.name", grantee);
    }

    /** The tenant of an account that is there. */
    String owner(String resourceName) {
        return getEntityManager()
                .createQuery("select a.tenant from Account a where a.resourceName = :name", String.class)
                .setParameter("name", resourceName)
                .getSingleResult();
    }
}
