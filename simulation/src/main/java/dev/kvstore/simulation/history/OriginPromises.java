package dev.kvstore.simulation.history;

import java.time.Duration;

/**
 * What data planes promise of the storage of another region that they read through to: they find what all must find
 * there, while nothing has failed between the regions for a minute, and serve it as it was stored there once. All times
 * are nanoseconds of the world.
 */
final class OriginPromises {
    /** A pause of 10 s after a failure, questions that are under way, and a new look at what the other region has. */
    private static final long RECOVERED = Duration.ofSeconds(60).toNanos();

    private final Promises promises;
    private long failed = 0;

    /** @param promises of the other region */
    OriginPromises(Promises promises) {
        this.promises = promises;
    }

    /** Nothing is promised until then, and for a minute more. */
    void fails(long until) {
        failed = Math.max(failed, until);
    }

    /**
     * What processes there wrote is damaged or deleted: they find that out when they are asked, and list their storage,
     * which this region does not (decision 31). So nothing is promised any more.
     */
    void spoilt() {
        failed = Long.MAX_VALUE / 2;
    }

    /** Whether a block that is asked for at this time must be found. */
    boolean isDue(String block, long asked) {
        return failed + RECOVERED < asked && promises.isDueElsewhere(block, asked);
    }

    boolean wasThere(String block) {
        return promises.wasThere(block);
    }

    boolean wasStored(String block, int content) {
        return promises.wasStored(block, content);
    }
}
