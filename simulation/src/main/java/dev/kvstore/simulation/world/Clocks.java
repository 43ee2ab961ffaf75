package dev.kvstore.simulation.world;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The time of the host that asks. */
public final class Clocks {
    /** The time at which each world begins. */
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    /** The first value of {@code System.nanoTime}, which may begin anywhere. */
    private static final long BEGIN_NANOS = 1_000_000_000L;

    private Clocks() {}

    @InPlaceOf(System.class)
    public static long nanoTime() {
        return BEGIN_NANOS + World.current().ownNanos();
    }

    @InPlaceOf(System.class)
    public static long currentTimeMillis() {
        return now().toEpochMilli();
    }

    @InPlaceOf(Instant.class)
    public static Instant now() {
        World world = World.current();
        return BEGIN.plusNanos(world.host().nanos() + world.host().clockSkewNanos());
    }

    @InPlaceOf(Clock.class)
    public static Clock systemUTC() {
        return new HostClock(ZoneOffset.UTC);
    }

    @InPlaceOf(InstantSource.class)
    public static InstantSource system() {
        return Clocks::now;
    }

    private static final class HostClock extends Clock {
        private final ZoneId zone;

        HostClock(ZoneId zone) {
            this.zone = zone;
        }

        @Override
        public ZoneId getZone() {
            return zone;
        }

        @Override
        public Clock withZone(ZoneId other) {
            return new HostClock(other);
        }

        @Override
        public Instant instant() {
            return now();
        }
    }
}
