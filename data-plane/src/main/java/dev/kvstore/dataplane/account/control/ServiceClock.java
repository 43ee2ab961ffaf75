package dev.kvstore.dataplane.account.control;

import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The clock of the control plane's database, which ends of keys and grants are judged by: as it was when the control
 * plane said it last, carried on by this machine's counter of time. Until it was said, this machine's own clock. A
 * message takes a while to come, so this one is behind by as long, and never ahead. Thread-safe.
 */
final class ServiceClock implements Supplier<ClockMoment> {
    /** So far back a message may be by others that came quicker; further back, the database's clock was set. */
    static final Duration LATE = Duration.ofSeconds(3);

    /** While something was said so recently, this machine's own clock says nothing: it may be set at any time. */
    static final Duration RECENT = Duration.ofSeconds(10);

    /**
     * @param said the time that was said
     * @param own the time of this machine's clock then
     */
    private record Reading(Instant said, ClockMoment own) {}

    private final InstantSource wall;
    private final Ticker ticker;
    private volatile @Nullable Reading last;

    ServiceClock(InstantSource wall, Ticker ticker) {
        this.wall = wall;
        this.ticker = ticker;
    }

    /** Takes what the control plane says. */
    void heard(Instant said) {
        ClockMoment own = own();
        Reading known = last;
        Instant carried = known == null ? said : at(known, own);
        Duration ahead = Duration.between(said, carried);
        last = new Reading(ahead.isNegative() || ahead.compareTo(LATE) > 0 ? said : carried, own);
    }

    @Override
    public ClockMoment get() {
        ClockMoment own = own();
        Reading known = last;
        return known == null ? own : new ClockMoment(at(known, own), own.nanos());
    }

    private ClockMoment own() {
        return new ClockMoment(wall.instant(), ticker.read());
    }

    private static Instant at(Reading known, ClockMoment now) {
        Duration counted = Duration.ofNanos(now.nanos() - known.own().nanos());
        return known.said().plus(counted.compareTo(RECENT) < 0 ? counted : now.since(known.own()));
    }
}
