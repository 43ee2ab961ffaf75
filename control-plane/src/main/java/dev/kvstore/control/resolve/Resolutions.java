package dev.kvstore.control.resolve;

import dev.kvstore.accounts.resolve.DatabaseAccountResolver;
import dev.kvstore.accounts.resolve.Resolved;
import dev.kvstore.admin.refusal.TokenBucket;
import dev.kvstore.admin.waiting.PartyPlaces;
import dev.kvstore.control.metrics.ControlPlaneMetrics;
import dev.kvstore.control.transport.Exhausted;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * Answers what a key may do. A key that does not exist is refused without a query to the database, except for a few
 * keys each second, so that a key which was made a moment ago works at once. Only a few queries run at a time, so that
 * connections are left for heartbeats and the change feed; clusters, tenants and addresses take turns. Thread-safe.
 */
@Singleton
public final class Resolutions {
    /** Questions at the database at a time, of the 17 connections of the pool {@code vital}. */
    private static final int PLACES = 6;

    /** Questions at the database at a time about keys that were never seen to be good. */
    private static final int STRANGERS_PLACES = 2;

    private static final int STRANGERS_AT_ONCE = 50;
    private static final long STRANGERS_EVERY_MILLIS = 50;
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final DatabaseAccountResolver resolver;
    private final KnownKeys keys;
    private final PartyPlaces places = new PartyPlaces(PLACES, PLACES - 1);
    private final PartyPlaces strangersPlaces = new PartyPlaces(STRANGERS_PLACES, STRANGERS_PLACES - 1);
    private final TokenBucket strangersBucket =
            new TokenBucket(STRANGERS_AT_ONCE, STRANGERS_EVERY_MILLIS, System::nanoTime);
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
     * Answers like {@link DatabaseAccountResolver#resolve}, from memory or in its turn.
     *
     * @param party the party for which the question counts
     * @throws io.grpc.StatusRuntimeException if too many questions wait
     */
    public DatabaseAccountResolver.AccountResolution resolve(
            Object party, String keyId, byte[] sha256, String resourceName, String region) {
        OptionalLong none = keys.refusal(sha256);
        if (none.isPresent() && !strangersBucket.take()) {
            madeUp.increment();
            return new DatabaseAccountResolver.AccountResolution(none.getAsLong(), new Resolved.UnknownKey(false));
        }
        PartyPlaces place = keys.mayBe(sha256) ? places : strangersPlaces;
        if (!place.take(party, place == places ? PATIENCE : Duration.ZERO)) {
            refused.increment();
            throw Exhausted.because("too many keys are asked about at once");
        }
        try {
            DatabaseAccountResolver.AccountResolution resolution =
                    resolver.resolve(keyId, sha256, resourceName, region);
            count(resolution.resolved());
            return resolution;
        } finally {
            place.giveBack(party);
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
