package dev.kvstore.dataplane.account.control;

import com.google.protobuf.Timestamp;
import dev.kvstore.dataplane.account.Resolution;
import dev.kvstore.dataplane.account.Rights;
import dev.kvstore.protocol.control.v1.ResolveResponse;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What the control plane said of a good key and a resource, and when. Thread-safe. */
final class Answer {
    private final ResolveResponse response;
    private final Instant asked;
    private final Resolution resolution;
    private final @Nullable Instant keyEnd;
    private volatile Instant due;

    private Answer(ResolveResponse response, Instant asked, Resolution resolution, @Nullable Instant keyEnd) {
        this.response = response;
        this.asked = asked;
        this.resolution = resolution;
        this.keyEnd = keyEnd;
        this.due = asked.plus(Bounds.REFRESH);
    }

    /**
     * The answer in a response that is not about an unknown key.
     *
     * @throws IllegalArgumentException if this version cannot use it, saying why
     */
    static Answer of(Subject subject, ResolveResponse response, Instant asked) {
        return switch (response.getOutcomeCase()) {
            case GRANTED ->
                new Answer(
                        response,
                        asked,
                        Wire.granted(response.getGranted(), subject.credential().keyId()),
                        null);
            case NOT_GRANTED -> {
                boolean ends = response.getNotGranted().hasExpiresAt();
                Timestamp end = response.getNotGranted().getExpiresAt();
                yield new Answer(response, asked, new Resolution.NotGranted(), ends ? Wire.instant(end) : null);
            }
            case UNKNOWN_KEY, OUTCOME_NOT_SET ->
                throw new IllegalArgumentException("outcome: is none that this version knows");
        };
    }

    ResolveResponse response() {
        return response;
    }

    Instant asked() {
        return asked;
    }

    boolean isGranted() {
        return resolution instanceof Resolution.Granted;
    }

    /** What it comes to now: ends of keys and grants are kept here, whoever can be asked. */
    Resolution at(Instant now) {
        if (keyEnd != null && !now.isBefore(keyEnd)) {
            return new Resolution.UnknownKey();
        }
        if (resolution instanceof Resolution.Granted granted) {
            Rights left = granted.rights().at(now);
            if (left.isEmpty()) {
                return new Resolution.NotGranted();
            }
            if (left != granted.rights()) {
                return new Resolution.Granted(granted.account(), granted.keyId(), left);
            }
        }
        return resolution;
    }

    /** Whether it is time to ask again; true to one caller in {@link Bounds#REFRESH_AGAIN}, or few. */
    boolean isDue(Instant now) {
        if (now.isBefore(due)) {
            return false;
        }
        due = now.plus(Bounds.REFRESH_AGAIN);
        return true;
    }

    /** Whether it still serves, everything having been confirmed at a moment. */
    boolean serves(Instant now, Instant confirmed) {
        Instant last = confirmed.isAfter(asked) ? confirmed : asked;
        return Duration.between(last, now).compareTo(Bounds.SURVIVAL) < 0;
    }
}
