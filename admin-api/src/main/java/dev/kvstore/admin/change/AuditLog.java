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

/** Reads past changes, as far as the caller may see them. Thread-safe. */
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

    /** A page of changes, the latest first. */
    @Transactional
    Page<ChangeView> page(Caller caller, AuditQuery query, @Nullable String cursor, int limit) {
        String tenant = query.tenant() == null ? caller.tenant() : query.tenant();
        if (tenant != null) {
            caller.requireSees(tenant, "tenant", tenant);
        }
        long before = Filter.number(Cursor.name(cursor));
        List<Object[]> sizes = entities.createQuery("""
                        select c.id, coalesce(length(cast(c.before as String)), 0)
                            + coalesce(length(cast(c.after as String)), 0)
                        from Change c where (:before = 0L or c.id < :before)
                        and (:kind is null or c.kind = :kind) and (:name is null or c.name = :name)
                        and (:tenant is null or c.tenant = :tenant) and (:actor is null or c.actor = :actor)
                        order by c.id desc""", Object[].class)
                .setParameter("before", before)
                .setParameter("kind", query.kind())
                .setParameter("name", query.name())
                .setParameter("tenant", tenant)
                .setParameter("actor", query.actor())
                .setMaxResults(limit + 1)
                .getResultList();
        int shown = Page.fitting(
                sizes.stream().map(row -> ((Number) row[1]).longValue()).toList(), limit);
        List<Long> ids = sizes.stream().map(row -> (Long) row[0]).limit(shown).toList();
        List<ChangeView> views = entities
                .createQuery("from Change c where c.id in :ids order by c.id desc", Change.class)
                .setParameter("ids", ids)
                .getResultList()
                .stream()
                .map(ChangeView::of)
                .toList();
        return new Page<>(views, sizes.size() > shown ? Cursor.after(Long.toString(ids.getLast())) : null);
    }
}
