package dev.kvstore.dataplane.account.control;

import dev.kvstore.dataplane.account.Resolution;
import dev.kvstore.protocol.control.v1.ResolveRequest;
import dev.kvstore.protocol.control.v1.ResolveResponse;
import io.grpc.StatusException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the control plane: one question for each subject at a time, and a limited number in all. Keys that were never
 * seen to be good have a limit of their own. Thread-safe.
 */
final class ResolutionClient {
    private static final Logger LOG = System.getLogger(ResolutionClient.class.getName());

    /** How often a question is asked, if changes of its subject keep overtaking the answer. */
    private static final int ATTEMPTS = 3;

    private static final Resolution NOBODY = new Resolution.Unanswered(
            "the control plane does not answer, and what this API key may do is not known here; try again later");
    private static final Resolution BUSY = new Resolution.Unanswered(
            "the control plane is being asked about too many API keys at a time; try again later");
    private static final Resolution UNUSABLE = new Resolution.Unanswered(
            "this data plane cannot use what the control plane says of the resource; its log says why");

    private final ControlPlaneReplicas plane;
    private final String region;
    private final ResolutionCache resolutions;
    private final ResolverCounters counters;
    private final ResolverBounds bounds;
    private final ServiceClock clock;
    private final Executor executor;
    private final Semaphore places;
    private final Semaphore strangersPlaces;

    ResolutionClient(
            ControlPlaneReplicas plane,
            String region,
            ResolutionCache resolutions,
            ResolverCounters counters,
            ResolverBounds bounds,
            ServiceClock clock,
            Executor executor) {
        this.plane = plane;
        this.region = region;
        this.resolutions = resolutions;
        this.counters = counters;
        this.bounds = bounds;
        this.clock = clock;
        this.executor = executor;
        this.places = new Semaphore(bounds.questions());
        this.strangersPlaces = new Semaphore(bounds.questions());
    }

    /** Asks, or waits for a question about the same subject that is under way. */
    Resolution ask(ResolutionSubject subject) {
        ClockMoment now = clock.get();
        CachedResolution old = tooOld(subject, now);
        if (old != null && old.isUnanswered(now)) {
            return unanswered(old);
        }
        ResolutionFlight flight = start(subject, false);
        try {
            // The flight ends by itself; twice the deadline is for an overloaded machine.
            return flight.outcome().get(bounds.deadline().toMillis() * 2, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return NOBODY;
        } catch (ExecutionException | TimeoutException e) {
            return nobody(subject);
        }
    }

    /**
     * Replaces the answer by a new one, in the background. The old answer stays if the control plane does not answer.
     */
    void refresh(ResolutionSubject subject) {
        var _ = start(subject, true);
    }

    private ResolutionFlight start(ResolutionSubject subject, boolean again) {
        ResolutionFlight mine = new ResolutionFlight(subject);
        ResolutionFlight flight = resolutions.join(mine);
        if (flight == mine) {
            executor.execute(() -> fly(flight, again));
        }
        return flight;
    }

    private void fly(ResolutionFlight flight, boolean again) {
        Resolution outcome = NOBODY;
        try {
            // The cache keeps no answer about a key alone, only whether the key is good.
            Resolution known = again || flight.subject().isOfKeyAlone() ? null : answeredMeanwhile(flight.subject());
            outcome = known == null ? inPlace(flight, again) : known;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "a question to the control plane failed unexpectedly", e);
        } finally {
            resolutions.end(flight);
            flight.outcome().complete(outcome);
        }
    }

    /** The answer, if it came between the caller's look-up and its question. */
    private @Nullable Resolution answeredMeanwhile(ResolutionSubject subject) {
        ClockMoment now = clock.get();
        CachedResolution resolution = resolutions.get(subject);
        return resolution != null && resolution.serves(now, resolutions.confirmed(), bounds.silence())
                ? resolution.at(now.time())
                : null;
    }

    /**
     * The resolution of a question without an answer. If there is an answer that is too old, the control plane is not
     * asked again for a moment.
     */
    private Resolution nobody(ResolutionSubject subject) {
        ClockMoment now = clock.get();
        CachedResolution old = tooOld(subject, now);
        if (old == null) {
            return NOBODY;
        }
        old.wentUnanswered(now);
        return unanswered(old);
    }

    private @Nullable CachedResolution tooOld(ResolutionSubject subject, ClockMoment now) {
        CachedResolution resolution = resolutions.get(subject);
        boolean isTooOld = resolution != null
                && resolution.isGranted()
                && resolution.isTooOld(now, resolutions.confirmed(), bounds.silence());
        return isTooOld ? resolution : null;
    }

    private static Resolution unanswered(CachedResolution old) {
        return new Resolution.Unanswered(
                "this data plane has not reached the control plane for longer than the account allows"
                        + " (maxOfflineSeconds: " + old.maxOffline().toSeconds()
                        + "); try again later, or use a data plane that reaches it");
    }

    private Resolution inPlace(ResolutionFlight flight, boolean again) throws InterruptedException {
        long end = System.nanoTime() + bounds.deadline().toNanos();
        Duration patience = again ? Duration.ZERO : bounds.deadline();
        Semaphore of = resolutions.isGood(flight.subject().credential()) ? places : strangersPlaces;
        if (!of.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
            counters.resolved(ResolverCounters.QuestionOutcome.FAILED);
            return BUSY;
        }
        try {
            return put(flight, end);
        } catch (StatusException e) {
            LOG.log(Level.DEBUG, "the control plane did not answer: {0}", e.getStatus());
            counters.resolved(ResolverCounters.QuestionOutcome.FAILED);
            return nobody(flight.subject());
        } finally {
            of.release();
        }
    }

    private Resolution put(ResolutionFlight flight, long end) throws StatusException, InterruptedException {
        ResolveRequest request = flight.subject().request(region);
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Duration left = Duration.ofNanos(Math.max(1, end - System.nanoTime()));
            Resolution outcome = taken(flight, plane.ask(stub -> stub.resolve(request), left));
            if (outcome != null) {
                return outcome;
            }
        }
        counters.resolved(ResolverCounters.QuestionOutcome.FAILED);
        return NOBODY;
    }

    /** The resolution of a response, which other callers can use now; null if a change has overtaken it. */
    private @Nullable Resolution taken(ResolutionFlight flight, ResolveResponse response) {
        if (response.hasClock()) {
            clock.heard(ResolutionDecoder.instant(response.getClock()));
        }
        ClockMoment now = clock.get();
        if (response.hasUnknownKey()) {
            boolean expired = response.getUnknownKey().getExpired();
            if (!resolutions.keepUnknown(flight, response.getChange(), expired, now)) {
                return null;
            }
            counters.resolved(ResolverCounters.QuestionOutcome.UNKNOWN_KEY);
            return new Resolution.UnknownKey(expired);
        }
        CachedResolution resolution;
        try {
            resolution = CachedResolution.of(flight.subject(), response, now);
        } catch (IllegalArgumentException e) {
            LOG.log(
                    Level.ERROR,
                    "the answer of the control plane about {0} cannot be used: {1}",
                    flight.subject().resourceName(),
                    e.getMessage());
            counters.resolved(ResolverCounters.QuestionOutcome.FAILED);
            return UNUSABLE;
        }
        if (!resolutions.keep(flight, resolution)) {
            return null;
        }
        counters.resolved(
                resolution.isGranted()
                        ? ResolverCounters.QuestionOutcome.GRANTED
                        : ResolverCounters.QuestionOutcome.NOT_GRANTED);
        return resolution.at(now.time());
    }
}
