package dev.kvstore.control.route;

import dev.kvstore.clusters.route.Constraints;
import io.grpc.StatusRuntimeException;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** That a key may know the routes of an account, as the database said last. Thread-safe. */
final class Admitted {
    /**
     * Who asks for what.
     *
     * @param resourceName of any content
     */
    record Question(Credential credential, String resourceName) {}

    /**
     * What the database said.
     *
     * @param end of the key or the last grant; null if never
     * @param change the last one that this knows of
     */
    record Terms(Constraints constraints, @Nullable Instant end, long change) {
        boolean holds(Instant now) {
            return end == null || now.isBefore(end);
        }
    }

    private final Question question;
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile Terms terms;
    private volatile boolean stale;
    private volatile @Nullable StatusRuntimeException refusal;

    Admitted(Question question, Terms terms) {
        this.question = question;
        this.terms = terms;
    }

    Question question() {
        return question;
    }

    Terms terms() {
        return terms;
    }

    void renew(Terms anew) {
        terms = anew;
        stale = false;
    }

    /** It is let in no more. */
    void refuse(StatusRuntimeException reason) {
        refusal = reason;
    }

    /** Why it is let in no more; null if it is. */
    @Nullable
    StatusRuntimeException refusal() {
        return refusal;
    }

    /** Something has changed that may touch it. */
    void outdate() {
        stale = true;
    }

    /** Whether the database is to be asked again. */
    boolean isDue(Instant now) {
        return stale || !terms.holds(now);
    }

    /** Whether nobody else asks the database now; who does says when it has answered. */
    boolean beginAsking() {
        return asking.compareAndSet(false, true);
    }

    void endAsking() {
        asking.set(false);
    }
}
