package dev.kvstore.admin.change;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.caller.Realm;
import dev.kvstore.admin.page.PutOutcome;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.transaction.TransactionSynchronizationRegistry;
import jakarta.transaction.Transactional;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Records every change, in the transaction that makes it. Transactions that change the registries run one after the
 * other from {@link #begin} on, whatever they change. So no data that a transaction has read changes before it commits,
 * and a reader that has seen a change has seen all changes with lower numbers. Thread-safe.
 */
@ApplicationScoped
public class ChangeLog {
    /** The channel of PostgreSQL's NOTIFY on which listeners learn of changes. */
    public static final String CHANNEL = "kvstore_change";

    /** SQL expression for the number of the last change; 0 if there is none. */
    public static final String LAST = "(select coalesce(max(id), 0) from change)";

    /** The advisory lock of all changes: a number that nothing else in this database locks. */
    private static final long ORDER = 0x6b76_6368_616e_6765L;

    /** The action of a change. */
    public enum Action {
        CREATE,
        UPDATE,
        DELETE,
        REVOKE,
        ROTATE,
        /** The service itself recorded the result of a trial of storage. */
        PROBE;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final EntityManager entities;
    private final TransactionSynchronizationRegistry transaction;
    private final ChangeSlots slots;
    private final ObjectMapper json;
    private final Clock clock;

    ChangeLog(
            EntityManager entities,
            TransactionSynchronizationRegistry transaction,
            ChangeSlots slots,
            ObjectMapper json,
            Clock clock) {
        this.entities = entities;
        this.transaction = transaction;
        this.slots = slots;
        this.json = json;
        this.clock = clock;
    }

    /**
     * Waits until all other transactions that change something have ended, and lets none begin until this one has
     * ended. Must be called before the transaction reads the data that it will change. A caller whose role allows no
     * change in the realm is refused before the wait, so it delays nobody.
     *
     * @throws dev.kvstore.admin.problem.ProblemException if the caller's role does not allow it, or too many changes
     *     wait
     */
    @Transactional(Transactional.TxType.MANDATORY)
    public void begin(Caller caller, Realm realm) {
        realm.require(caller);
        slots.take(caller);
        entities.createNativeQuery("select pg_advisory_xact_lock(:order)", Object.class)
                .setParameter("order", ORDER)
                .getSingleResult();
        transaction.putResource(this, true);
    }

    /**
     * A change of one resource.
     *
     * @param before the resource before, as callers see it; null if it did not exist
     * @param after the resource now; null if it no longer exists
     */
    public record Entry(
            Subject subject,
            @Nullable Object before,
            @Nullable Object after,
            Affected affected) {}

    /**
     * Records a change that this transaction makes, after {@link #begin}. Records nothing if before and after are
     * equal.
     *
     * @param before the resource before, as callers see it; null if it did not exist
     * @param after the resource now; null if it no longer exists
     */
    @Transactional(Transactional.TxType.MANDATORY)
    public void record(
            Caller caller,
            Action action,
            Subject subject,
            @Nullable Object before,
            @Nullable Object after,
            Affected affected) {
        record(caller, action, List.of(new Entry(subject, before, after, affected)));
    }

    /**
     * Records that a resource was put, like {@link #record(Caller, Action, Subject, Object, Object, Affected)}; returns
     * the outcome of the PUT.
     *
     * @param created whether the PUT made the resource, or made it anew
     * @param version of the resource now
     */
    @Transactional(Transactional.TxType.MANDATORY)
    public <V> PutOutcome<V> put(
            Caller caller,
            Subject subject,
            Affected affected,
            boolean created,
            @Nullable Object before,
            V after,
            long version) {
        record(caller, created ? Action.CREATE : Action.UPDATE, subject, before, after, affected);
        return new PutOutcome<>(after, version, created);
    }

    /** Records that a resource was deleted, like {@link #record(Caller, Action, Subject, Object, Object, Affected)}. */
    @Transactional(Transactional.TxType.MANDATORY)
    public void delete(Caller caller, Subject subject, Object before, Affected affected) {
        record(caller, Action.DELETE, subject, before, null, affected);
    }

    /** Records changes of the same kind in one statement. Each is recorded like a single one. */
    @Transactional(Transactional.TxType.MANDATORY)
    public void record(Caller caller, Action action, List<Entry> entries) {
        if (transaction.getResource(this) == null) {
            throw new IllegalStateException("a change has to begin before it reads what it changes");
        }
        List<Entry> changed = entries.stream()
                .filter(entry -> entry.after() == null || !entry.after().equals(entry.before()))
                .toList();
        if (changed.isEmpty()) {
            return;
        }
        entities.flush();
        entities.createNativeQuery("""
                        with made as (
                            insert into change (at, actor, role, tenant, action, kind, name, before, after, key_ids, resource_names)
                            select cast(:at as timestamptz), :actor, :role, e -> 'subject' ->> 'tenant', :action,
                                e -> 'subject' ->> 'kind', e -> 'subject' ->> 'name',
                                nullif(e -> 'before', cast('null' as jsonb)), nullif(e -> 'after', cast('null' as jsonb)),
                                array(select jsonb_array_elements_text(e -> 'affected' -> 'keyIds')),
                                array(select jsonb_array_elements_text(e -> 'affected' -> 'resourceNames'))
                            from jsonb_array_elements(cast(:entries as jsonb)) with ordinality as entry(e, place)
                            order by place
                            returning id)
                        select cast(pg_notify(:channel, cast(max(id) as text)) as text) from made""", Object.class)
                .setParameter("at", OffsetDateTime.ofInstant(clock.instant(), ZoneOffset.UTC))
                .setParameter("actor", caller.name())
                .setParameter("role", caller.role().word())
                .setParameter("action", action.word())
                .setParameter("entries", text(changed))
                .setParameter("channel", CHANNEL)
                .getSingleResult();
    }

    private String text(List<Entry> entries) {
        try {
            return json.writeValueAsString(entries);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("what callers see cannot be written as JSON", e);
        }
    }
}
