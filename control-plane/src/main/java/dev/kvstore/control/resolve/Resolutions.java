package dev.kvstore.control.resolve;

import dev.kvstore.accounts.resolve.DatabaseAccountResolver;
import dev.kvstore.accounts.resolve.Resolved;
import dev.kvstore.admin.refusal.TokenBucket;
import dev.kvstore.control.metrics.ControlPlaneMetrics;
import dev.kvstore.control.transport.Exhausted;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Answers what a key may do. A key that does not exist is refused without asking the database, except for a few each
 * second, so that a key which was made a moment ago works at once. Only a few questions may be at the database at a
 * time, so that connections are left for heartbeats and the change feed. Thread-safe.
 */
@Singleton
public final class Resolutions {
    /** Questions at the database at a time, of the 17 connections of the pool {@code vital}. */
    private static final int PLACES = 6;

    /** Questions at the database at a time about keys that were never seen to be good. */
    private static final int STRANGERS_PLACES = 2;

    private static final int STRANGERS_AT_ONCE = 50;
    private static final long STRANGERS_EVERY_MILLIS = 50;
    private static final long PATIENCE_MILLIS = 2_000;

    private final DatabaseAccountResolver resolver;
    private final KnownKeys keys;
    private final Semaphore places = new Semaphore(PLACES, true);
    private final Semaphore strangersPlaces = new Semaphore(STRANGERS_PLACES, true);
    private final TokenBucket strangers = new TokenBucket(STRANGERS_AT_ONCE, STRANGERS_EVERY_MILLIS, System::nanoTime);
    private final Counter granted;
    private final Counter notGranted;
    private final Counter unknown;
    private final Counter madeUp;
    private final Counter refused;

    Resolutions(DatabaseAccountResolver resolver, KnownKeys keys, MeterRegistry meters) {
        this.resolver = resolver;
        this.keys = keys;
        this.granted = ControlPlaneMetrics.RESOLUTIONS.counter(meters, "granted");
        this.notGranted = ControlPlaneMetrics.RESOLUTIONS.counter(meters, "not_granted");
        this.unknown = ControlPlaneMetrics.RESOLUTIONS.counter(meters, "unknown_key");
        this.madeUp = ControlPlaneMetrics.RESOLUTIONS.counter(meters, "made_up_key");
        this.refused = ControlPlaneMetrics.RESOLUTIONS.counter(meters, "refused");
    }

    /**
     * As {@link DatabaseAccountResolver#resolve}.
     *
     * @throws io.grpc.StatusRuntimeException if too many questions wait
     */
    public DatabaseAccountResolver.AccountResolution resolve(
            String keyId, byte[] sha256, String resourceName, String region) {
        OptionalLong none = keys.refusal(sha256);
        if (none.isPresent() && !strangers.take()) {
            madeUp.increment();
            return new DatabaseAccountResolver.AccountResolution(none.getAsLong(), new Resolved.UnknownKey(false));
        }
        Semaphore place = keys.mayBe(sha256) ? places : strangersPlaces;
        if (!acquired(place)) {
            refused.increment();
            throw Exhausted.because("too many keys are asked about at once");
        }
        try {
            DatabaseAccountResolver.AccountResolution answer = resolver.resolve(keyId, sha256, resourceName, region);
            count(answer.resolved());
            return answer;
        } finally {
            place.release();
        }
    }

    private boolean acquired(Semaphore place) {
        try {
            return place.tryAcquire(place == places ? PATIENCE_MILLIS : 0, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void count(Resolved resolved) {
        switch (resolved) {
            case Resolved.Granted _ -> granted.increment();
            case Resolved.NotGranted _ -> notGranted.increment();
            case Resolved.UnknownKey _ -> unknown.increment();
        }
    }
}
