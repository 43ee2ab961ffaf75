package dev.kvstore.admin.change;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.page.Cursor;
import dev.kvstore.admin.page.Filter;
import dev.kvstore.admin.page.Page;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Past changes, as far as the caller may see them. Thread-safe. */
@ApplicationScoped
public class AuditLog {
    private final EntityManager entities;

    AuditLog(EntityManager entities) {
        this.entities = entities;
    }

    /**
     * The changes to find; null for any.
     *
     * @param kind such as {@code account}
     */
    record AuditQuery(
            @Nullable String kind,
            @Nullable String name,
            @Nullable String tenant,
            @Nullable String actor) {}

    /** The latest first. */
    @Transactional
    Page<ChangeView> page(Caller caller, AuditQuery query, @Nullable String cursor, int limit) {
        String tenant = query.tenant() == null ? caller.tenant() : query.tenant();
        if (tenant != null) {
            caller.requireSees(tenant, "tenant", tenant);
        }
        long before = Filter.number(Cursor.name(cursor));
        List<Change> found = entities.createQuery("""
                        from Change c where (:before = 0L or c.id < :before)
                        and (:kind is null or c.kind = :kind) and (:name is null or c.name = :name)
                        and (:tenant is null or c.tenant = :tenant) and (:actor is null or c.actor = :actor)
                        order by c.id desc""", Change.class)
                .setParameter("before", before)
                .setParameter("kind", query.kind())
                .setParameter("name", query.name())
                .setParameter("tenant", tenant)
                .setParameter("actor", query.actor())
                .setMaxResults(limit + 1)
                .getResultList();
        return Page.of(found, limit, change -> Long.toString(change.id()), ChangeView::of);
    }
}
