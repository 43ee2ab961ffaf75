package dev.kvstore.admin.repeat;

import dev.kvstore.admin.caller.Caller;
import dev.kvstore.admin.change.ChangeSlots;
import dev.kvstore.admin.problem.ProblemException;
import dev.kvstore.admin.problem.ProblemKind;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** First answers to requests with an {@code Idempotency-Key}: for {@link #KEPT}, sealed. Thread-safe. */
@ApplicationScoped
public class KeptAnswers {
    static final Duration KEPT = Duration.ofHours(24);

    /** Most kept answers of one caller. */
    static final int MOST = 10_000;

    private static final int FORGOTTEN_AT_ONCE = 10_000;

    private final EntityManager entities;
    private final ChangeSlots slots;
    private final Clock clock;

    KeptAnswers(EntityManager entities, ChangeSlots slots, Clock clock) {
        this.entities = entities;
        this.slots = slots;
        this.clock = clock;
    }

    /**
     * The answer that is kept under an id; null if there is none. Until this transaction ends, other requests for the
     * same id wait.
     *
     * @param caller the caller whose call may change something
     * @param id 32 bytes
     * @throws ProblemException if too many changes wait
     */
    @Transactional(Transactional.TxType.MANDATORY)
    @Nullable
    KeptAnswer find(Caller caller, byte[] id) {
        slots.take(caller);
        entities.createNativeQuery("select pg_advisory_xact_lock(:id)", Object.class)
                .setParameter("id", ByteBuffer.wrap(id).getLong())
                .getSingleResult();
        Object[] row = (Object[]) entities.createNativeQuery(
                        "select fingerprint, status, sealed from kept_answer where id = :id and at > :oldest",
                        Object[].class)
                .setParameter("id", id)
                .setParameter("oldest", oldest())
                .getSingleResultOrNull();
        return row == null ? null : new KeptAnswer((byte[]) row[0], ((Number) row[1]).intValue(), (byte[]) row[2]);
    }

    private Instant oldest() {
        return clock.instant().minus(KEPT);
    }

    /**
     * Checks that one more answer to a caller can be kept.
     *
     * @throws ProblemException if the caller has too many
     */
    @Transactional(Transactional.TxType.MANDATORY)
    void requireRoom(String caller) {
        Number count = (Number) entities.createNativeQuery(
                        "select count(*) from (select 1 from kept_answer where caller = :caller and at > :oldest"
                                + " limit :most) one",
                        Long.class)
                .setParameter("caller", caller)
                .setParameter("oldest", oldest())
                .setParameter("most", MOST)
                .getSingleResult();
        if (count.intValue() >= MOST) {
            throw ProblemException.of(
                    ProblemKind.BUSY,
                    "you have sent " + MOST
                            + " requests with an Idempotency-Key in 24 hours, the most whose answers are kept:"
                            + " send this one without");
        }
    }

    /** Keeps an answer, in the transaction that makes the change. */
    @Transactional(Transactional.TxType.MANDATORY)
    void keep(byte[] id, String caller, byte[] fingerprint, int status, byte[] sealed) {
        // An answer that is too old may still be stored.
        entities.createNativeQuery("""
                        insert into kept_answer (id, caller, fingerprint, status, sealed, at)
                        values (:id, :caller, :fingerprint, :status, :sealed, :at)
                        on conflict (id) do update set caller = excluded.caller, fingerprint = excluded.fingerprint,
                            status = excluded.status, sealed = excluded.sealed, at = excluded.at""", Object.class)
                .setParameter("id", id)
                .setParameter("caller", caller)
                .setParameter("fingerprint", fingerprint)
                .setParameter("status", status)
                .setParameter("sealed", sealed)
                .setParameter("at", clock.instant())
                .executeUpdate();
    }

    /**
     * Forgets answers that are too old to be given again, the oldest first.
     *
     * @return whether there may be more to forget
     */
    @Transactional
    public boolean forget() {
        int forgotten = entities.createNativeQuery(
                        "delete from kept_answer where id in (select id from kept_answer where at <= :oldest order by at limit :most)",
                        Object.class)
                .setParameter("oldest", oldest())
                .setParameter("most", FORGOTTEN_AT_ONCE)
                .executeUpdate();
        return forgotten == FORGOTTEN_AT_ONCE;
    }
}
