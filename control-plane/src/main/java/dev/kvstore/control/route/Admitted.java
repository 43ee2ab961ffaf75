package dev.kvstore.control.route;

import dev.kvstore.clusters.route.Constraints;
import io.grpc.StatusRuntimeException;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** An admission: a key may see the route of an account, by the last answer of the database. Thread-safe. */
final class Admitted {
    /**
     * The key that asks, and the resource that it asks for.
     *
     * @param resourceName of any content
     */
    record RouteQuestion(ClientCredential credential, String resourceName) {}

    /**
     * The answer of the database.
     *
     * @param end of the key or the last grant; null if never
     * @param change the number of the last change that the answer includes
     */
    record Terms(Constraints constraints, @Nullable Instant end, long change) {
        boolean holds(Instant now) {
            return end == null || now.isBefore(end);
        }
    }

    private final RouteQuestion question;
    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile Terms terms;
    private volatile boolean stale;
    private volatile @Nullable StatusRuntimeException refusal;

    Admitted(RouteQuestion question, Terms terms) {
        this.question = question;
        this.terms = terms;
    }

    RouteQuestion question() {
        return question;
    }

    Terms terms() {
        return terms;
    }

    void renew(Terms anew) {
        terms = anew;
        stale = false;
    }

    /** Ends the admission. */
    void refuse(StatusRuntimeException reason) {
        refusal = reason;
    }

    /** The reason why the admission ended; null if it is good. */
    @Nullable
    StatusRuntimeException refusal() {
        return refusal;
    }

    /** Notes that a change may concern this admission. */
    void outdate() {
        stale = true;
    }

    /** Whether the database must be asked again. */
    boolean isDue(Instant now) {
        return stale || !terms.holds(now);
    }

    /**
     * Whether this thread may ask the database now, since no other thread does. The thread must tell this object of the
     * answer.
     */
    boolean beginAsking() {
        return asking.compareAndSet(false, true);
    }

    void endAsking() {
        asking.set(false);
    }
}
