package dev.kvstore.admin.refusal;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.name.PlainText;
import dev.kvstore.admin.page.Cursor;
import dev.kvstore.admin.page.Filter;
import dev.kvstore.admin.page.Page;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Keeps refusals of callers, outside of their calls. The last {@link #KEPT} are kept, so that a caller that is refused
 * all day fills nothing. Of each tenant or caller few are kept in the long run, so that none displaces the refusals of
 * others. Further refusals, and refusals that come faster than the database takes them, are only counted. Thread-safe.
 */
@ApplicationScoped
public class Refusals {
    static final int KEPT = 100_000;

    private static final int WAITING = 10_000;
    private static final int BATCH = 5_000;
    private static final int MOST_CHARACTERS = 500;

    /** The most refusals of one tenant, or of one caller without a tenant, that are kept at once. */
    static final int SHARE_AT_ONCE = 1_000;

    /** The time for one more kept refusal of a tenant or caller, which takes 69 days to fill {@link #KEPT}. */
    private static final long SHARE_EVERY_MILLIS = 60_000;

    /**
     * Most tenants and callers that have a share of their own. Beyond this number, the share refused longest ago is
     * forgotten.
     */
    private static final int SHARES = 10_000;

    /** The most refusals of strangers that are kept at once; all further ones are counted in one row. */
    private static final int STRANGERS_AT_ONCE = 1_000;

    private static final long STRANGERS_EVERY_MILLIS = 10_000;

    private final EntityManager entities;
    private final Clock clock;
    private final BlockingQueue<WaitingRefusal> waiting = new ArrayBlockingQueue<>(WAITING);
    private final AtomicLong lost = new AtomicLong();
    private final AtomicReference<String> lastLost = new AtomicReference<>("nobody");
    private final TokenBuckets buckets = new TokenBuckets(SHARES, SHARE_AT_ONCE, SHARE_EVERY_MILLIS, System::nanoTime);
    private final TokenBucket strangersBucket =
            new TokenBucket(STRANGERS_AT_ONCE, STRANGERS_EVERY_MILLIS, System::nanoTime);

    Refusals(EntityManager entities, Clock clock) {
        this.entities = entities;
        this.clock = clock;
    }

    /** A refusal that is not written yet. */
    record WaitingRefusal(Instant at, RefusedAction refused) {}

    /** Writes the refusal soon, or counts it. Never waits. */
    public void offer(RefusedAction refused) {
        String tenant = refused.tenant();
        offer(refused, buckets.take(tenant == null ? "caller " + refused.actor() : "tenant " + tenant));
    }

    private void offer(RefusedAction refused, boolean room) {
        RefusedAction cut = cut(refused);
        if (!room || !waiting.offer(new WaitingRefusal(clock.instant(), cut))) {
            lost.incrementAndGet();
            lastLost.set(cut.actor());
        }
    }

    /**
     * Offers the refusal of a caller that has shown no known credential: of very many such refusals, few are kept and
     * the others counted. Never waits.
     */
    public void offerOfStranger(RefusedAction refused) {
        offer(refused, strangersBucket.take());
    }

    /**
     * Shortens the texts, all of which come from others, and replaces characters such as zero, which PostgreSQL cannot
     * store.
     */
    private static RefusedAction cut(RefusedAction refused) {
        String role = refused.role();
        String tenant = refused.tenant();
        return new RefusedAction(
                cut(refused.actor()),
                role == null ? null : cut(role),
                tenant == null ? null : cut(tenant),
                cut(refused.what()),
                cut(refused.reason()));
    }

    private static String cut(String text) {
        return PlainText.cleaned(text.substring(0, Math.min(MOST_CHARACTERS, text.length())));
    }

    /** The refusals to write next; waits until there is one. */
    List<WaitingRefusal> next() throws InterruptedException {
        List<WaitingRefusal> batch = new ArrayList<>();
        batch.add(waiting.take());
        waiting.drainTo(batch, BATCH - 1);
        long more = lost.getAndSet(0);
        if (more > 0) {
            batch.add(new WaitingRefusal(
                    clock.instant(),
                    new RefusedAction(
                            "control-plane",
                            null,
                            null,
                            "audit",
                            more + " more were refused, the last one to " + lastLost.get())));
        }
        return batch;
    }

    /** Counts refusals that cannot be written. */
    void lose(int count) {
        lost.addAndGet(count);
    }

    @Transactional
    void write(List<WaitingRefusal> batch) {
        batch.forEach(one -> entities.persist(new Refusal(one.at(), one.refused())));
        entities.flush();
        entities.createNativeQuery(
                        "delete from refusal where id <= (select max(id) from refusal) - " + KEPT, Object.class)
                .executeUpdate();
    }

    /** A page of refusals, the latest first. */
    @Transactional
    Page<RefusalView> page(
            Caller caller, @Nullable String tenant, @Nullable String actor, @Nullable String cursor, int limit) {
        String whose = tenant == null ? caller.tenant() : tenant;
        if (whose != null) {
            caller.requireSees(whose, "tenant", whose);
        }
        List<Refusal> found = entities.createQuery("""
                        from Refusal r where (:before = 0L or r.id < :before)
                        and (:tenant is null or r.tenant = :tenant) and (:actor is null or r.actor = :actor)
                        order by r.id desc""", Refusal.class)
                .setParameter("before", Filter.number(Cursor.name(cursor)))
                .setParameter("tenant", whose)
                .setParameter("actor", actor)
                .setMaxResults(limit + 1)
                .getResultList();
        return Page.of(found, limit, refusal -> Long.toString(refusal.id()), Refusal::view);
    }
}
