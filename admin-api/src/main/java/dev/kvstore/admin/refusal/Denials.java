package dev.kvstore.admin.refusal;

import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;

/**
 * Delays the refusals of a caller that repeatedly asks for something that its role does not allow: each refusal costs
 * the control plane the check of a token, and many at a time take the processors. Thread-safe.
 */
@ApplicationScoped
public class Denials {
    /** The most refusals of a caller without a delay; an admin with the wrong role tries some requests. */
    static final int AT_ONCE = 100;

    private static final long EVERY_MILLIS = 100;

    /** The delay of each further refusal. */
    static final Duration PAUSE = Duration.ofSeconds(1);

    /** The most requests that are delayed at a time: HTTP/2 can have many on one connection. */
    private static final int WAITING = 1_000;

    /** The most callers whose refusals are counted. Of more callers, those that were refused last are kept. */
    private static final int CALLERS = 1_000;

    private final Semaphore waiting = new Semaphore(WAITING);
    private final TokenBuckets buckets;

    public Denials() {
        this(System::nanoTime);
    }

    Denials(LongSupplier nanos) {
        this.buckets = new TokenBuckets(CALLERS, AT_ONCE, EVERY_MILLIS, nanos);
    }

    /** Counts one more refusal of a caller, and returns its delay. */
    Duration one(String caller) {
        return buckets.take(caller) ? Duration.ZERO : PAUSE;
    }

    /** Delays a refusal. Must run on a virtual thread. */
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
