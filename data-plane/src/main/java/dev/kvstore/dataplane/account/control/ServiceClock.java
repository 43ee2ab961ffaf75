package dev.kvstore.dataplane.account.control;

import com.github.benmanes.caffeine.cache.Ticker;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The clock of the control plane's database, which decides when keys and grants end: the time that the control plane
 * said last, carried on by this machine's counter of time. Until the control plane has said a time, this is the
 * machine's own clock. A message takes a while to arrive, so this clock is behind by as long, and never ahead.
 * Thread-safe.
 */
final class ServiceClock implements Supplier<ClockMoment> {
    /** How far a message may be behind quicker ones; if it is further behind, the database's clock was set back. */
    static final Duration LATE = Duration.ofSeconds(3);

    /** How long after the last message the machine's own clock does not count, since it may be set at any time. */
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

    /** Takes the time that the control plane says. */
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
