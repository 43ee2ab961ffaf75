package dev.kvstore.simulation.promise;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Times in which leases may not be renewed, or may be prolonged: faults of all control planes at once, of the database,
 * and of its clock. All times are nanoseconds of the world. For the thread of its world.
 */
public final class LeaseTroubles {
    /** Data planes try again after 10 s at most, and a call takes 2 s at most to fail. */
    private static final long RECOVERED = 15_000_000_000L;

    /** A transaction whose connection is lost keeps other transactions waiting for 15 s. */
    private static final long OPEN_TRANSACTION = 20_000_000_000L;

    /** A control plane reads the database's clock once a second. */
    private static final long CLOCK_READ = 3_000_000_000L;

    private final long[] impaired;
    private final List<LeaseTrouble> troubles = new ArrayList<>();
    private long stepped = Long.MIN_VALUE / 2;
    private long step;

    private record LeaseTrouble(long from, long until) {}

    public LeaseTroubles(int controlPlanes) {
        impaired = new long[controlPlanes];
        Arrays.fill(impaired, Long.MIN_VALUE / 2);
    }

    /** A control plane renews no lease until then. */
    public void impaired(int controlPlane, long now, long until) {
        impaired[controlPlane] = Math.max(impaired[controlPlane], until);
        long all = Arrays.stream(impaired).min().orElseThrow();
        if (all > now) {
            add(now, all + RECOVERED);
        }
        if (stepped + CLOCK_READ > now) {
            add(now, until + step);
        }
    }

    /** A control plane stands still until then, and goes on with requests that it received before. */
    public void frozen(int controlPlane, long now, long until) {
        impaired(controlPlane, now, until);
        add(now, Math.max(until, now + OPEN_TRANSACTION));
    }

    /** A control plane loses its connections to the database. */
    public void cut(int controlPlane, long now, long until) {
        impaired(controlPlane, now, until);
        add(now, now + OPEN_TRANSACTION);
    }

    /** The database has a fault until then. */
    public void database(long now, long until) {
        add(now, until + RECOVERED);
    }

    /**
     * The database's clock steps. A control plane goes by its earlier reading of the clock until it reads the clock
     * again.
     */
    public void clockSteps(long now, long nanos) {
        stepped = now;
        step = Math.abs(nanos);
        add(now, Math.max(now, Arrays.stream(impaired).max().orElseThrow()) + step);
    }

    private void add(long from, long until) {
        troubles.add(new LeaseTrouble(from, until));
    }

    /** The time at which all troubles are over that began before now. */
    long end() {
        return troubles.stream().mapToLong(LeaseTrouble::until).max().orElse(Long.MIN_VALUE / 2);
    }

    /**
     * The time until which a lease may last that was last renewed at a time.
     *
     * @param lasts the time that a lease lasts without trouble
     */
    long end(long renewed, long lasts) {
        long end = renewed + lasts;
        for (LeaseTrouble trouble : troubles) {
            if (trouble.from <= end) {
                end = Math.max(end, trouble.until + lasts);
            }
        }
        return end;
    }
}
