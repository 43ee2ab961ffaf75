package dev.kvstore.dataplane.account.control;

import com.google.protobuf.Timestamp;
import dev.kvstore.dataplane.account.Resolution;
import dev.kvstore.dataplane.account.Rights;
import dev.kvstore.protocol.control.v1.ResolveResponse;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The control plane's answer about a good key and a resource, and its time. Thread-safe. */
final class CachedResolution {
    /** Approximate heap of an answer without rights: the answer, its subject, and their entries in a cache. */
    private static final int BYTES = 1024;

    /** Approximate heap of a right, without its partition's name. */
    private static final int RIGHT_BYTES = 300;

    private final ResolveResponse response;
    private final ClockMoment asked;
    private final Resolution resolution;
    private final @Nullable Instant keyEnd;
    private final Duration maxOffline;
    private volatile long due;
    private volatile long unansweredUntil;

    private CachedResolution(
            ResolveResponse response, ClockMoment asked, Resolution resolution, @Nullable Instant keyEnd) {
        this.response = response;
        this.asked = asked;
        this.resolution = resolution;
        this.keyEnd = keyEnd;
        // A denial must not tell whether the account exists. It admits no caller, so it serves for a day.
        this.maxOffline = ResolutionDecoder.maxOffline(response.getGranted().getAccount());
        this.unansweredUntil = asked.nanos();
        this.due = asked.nanos() + ResolverBounds.REFRESH.toNanos();
    }

    /**
     * The answer in a response that is not about an unknown key.
     *
     * @throws IllegalArgumentException if this version cannot use it, saying why
     */
    static CachedResolution of(ResolutionSubject subject, ResolveResponse response, ClockMoment asked) {
        return switch (response.getOutcomeCase()) {
            case GRANTED ->
                new CachedResolution(
                        response,
                        asked,
                        ResolutionDecoder.granted(
                                response.getGranted(), subject.credential().keyId()),
                        null);
            case NOT_GRANTED -> {
                boolean ends = response.getNotGranted().hasExpiresAt();
                Timestamp end = response.getNotGranted().getExpiresAt();
                yield new CachedResolution(
                        response,
                        asked,
                        new Resolution.NotGranted(response.getNotGranted().getNotReady()),
                        ends ? ResolutionDecoder.instant(end) : null);
            }
            case UNKNOWN_KEY, OUTCOME_NOT_SET ->
                throw new IllegalArgumentException("outcome: is none that this version knows");
        };
    }

    ResolveResponse response() {
        return response;
    }

    ClockMoment asked() {
        return asked;
    }

    boolean isGranted() {
        return resolution instanceof Resolution.Granted;
    }

    /** Whether this answer has the same content as another, whatever their changes. */
    boolean saysAs(@Nullable CachedResolution other) {
        return other != null
                && response.getGranted().equals(other.response.getGranted())
                && response.getNotGranted().equals(other.response.getNotGranted());
    }

    /** Approximate heap of this answer, in bytes. */
    int weight() {
        long bytes =
                BYTES + (long) RIGHT_BYTES * response.getGranted().getRightsCount() + 2L * response.getSerializedSize();
        return (int) Math.min(Integer.MAX_VALUE, bytes);
    }

    /** The resolution now. Ends of keys and grants are checked here, also without the control plane. */
    Resolution at(Instant now) {
        if (keyEnd != null && !now.isBefore(keyEnd)) {
            return new Resolution.UnknownKey(true);
        }
        if (resolution instanceof Resolution.Granted granted) {
            Rights left = granted.rights().at(now);
            if (left.isEmpty()) {
                return new Resolution.NotGranted(false);
            }
            if (left != granted.rights()) {
                return new Resolution.Granted(granted.account(), granted.keyId(), left);
            }
        }
        return resolution;
    }

    /** Whether it is time to ask again; true to one caller in {@link ResolverBounds#REFRESH_AGAIN}, or few. */
    boolean isDue(ClockMoment now) {
        if (now.nanos() - due < 0) {
            return false;
        }
        due = now.nanos() + ResolverBounds.REFRESH_AGAIN.toNanos();
        return true;
    }

    /** How long this answer may be used without a confirmation, if that is longer than it takes to notice silence. */
    Duration maxOffline() {
        return maxOffline;
    }

    /** Records that this answer was too old, and that the control plane did not answer when it was asked again. */
    void wentUnanswered(ClockMoment now) {
        unansweredUntil = now.nanos() + ResolverBounds.UNANSWERED.toNanos();
    }

    /** Whether {@link #wentUnanswered} was called a moment ago. */
    boolean isUnanswered(ClockMoment now) {
        return now.nanos() - unansweredUntil < 0;
    }

    /**
     * Whether the answer may still be used, if all answers were last confirmed at a moment. An answer whose rights have
     * all ended may not: only the control plane knows whether the key ended or its grants.
     *
     * @param noticed the time after which silence of the control plane is noticed, since confirmations come no more
     *     often
     */
    boolean serves(ClockMoment now, @Nullable ClockMoment confirmed, Duration noticed) {
        return !isTooOld(now, confirmed, noticed) && !hasRunOut(now.time());
    }

    /** Whether the last confirmation is longer ago than the account allows, or a day. */
    boolean isTooOld(ClockMoment now, @Nullable ClockMoment confirmed, Duration noticed) {
        Duration most = maxOffline.compareTo(noticed) < 0 ? noticed : maxOffline;
        return !isRecent(asked, now, most) && (confirmed == null || !isRecent(confirmed, now, most));
    }

    private static boolean isRecent(ClockMoment moment, ClockMoment now, Duration most) {
        return now.since(moment).compareTo(most) < 0;
    }

    private boolean hasRunOut(Instant now) {
        return resolution instanceof Resolution.Granted granted
                && granted.rights().at(now).isEmpty()
                && !granted.rights().at(asked.time()).isEmpty();
    }
}
