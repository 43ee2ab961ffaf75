package dev.kvstore.admin.refusal;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;

/**
 * Makes a caller wait for its refusals if it asks again and again for things that its role does not allow: each refusal
 * costs the control plane the check of a token, and many at a time take the processors. Thread-safe.
 */
@ApplicationScoped
public class Denials {
    /** Refusals of a caller at once; an admin with the wrong role tries some. */
    static final int AT_ONCE = 100;

    private static final long EVERY_MILLIS = 100;

    /** How long each one beyond takes. */
    static final Duration PAUSE = Duration.ofSeconds(1);

    /** Requests that wait. They are as many as connections in any case; of HTTP/2 there may be many on one. */
    private static final int WAITING = 1_000;

    /** Callers that are counted: the callers that were refused last. */
    private static final int CALLERS = 1_000;

    private final Semaphore waiting = new Semaphore(WAITING);
    private final TokenBuckets buckets;

    public Denials() {
        this(System::nanoTime);
    }

    Denials(LongSupplier nanos) {
        this.buckets = new TokenBuckets(CALLERS, AT_ONCE, EVERY_MILLIS, nanos);
    }

    /** One more refusal of a caller: how long it has to be kept back. */
    Duration one(String caller) {
        return buckets.take(caller) ? Duration.ZERO : PAUSE;
    }

    /** Keeps it back. For virtual threads. */
    void keepBack(String caller) {
        Duration pause = one(caller);
        if (pause.isZero() || !waiting.tryAcquire()) {
            return;
        }
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            waiting.release();
        }
    }
}
