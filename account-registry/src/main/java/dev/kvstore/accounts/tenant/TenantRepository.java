package dev.kvstore.accounts.tenant;

import io.quarkus.hibernate.orm.panache.PanacheRepositoryBase;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tenants, in the database. */
@ApplicationScoped
public class TenantRepository implements PanacheRepositoryBase<Tenant, String> {
    List<Tenant> page(String after, @Nullable TenantState state, @Nullable String only, int limit) {
        return getEntityManager()
                .createQuery("""
                        from Tenant t where t.name > :after
                        and (:state is null or t.state = :state) and (:only is null or t.name = :only)
                        order by t.name""", Tenant.class)
                .setParameter("after", after)
                .setParameter("state", state)
                .setParameter("only", only)
                .setMaxResults(limit)
                .getResultList();
    }
}
