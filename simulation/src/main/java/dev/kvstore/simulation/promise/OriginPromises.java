package dev.kvstore.simulation.promise;

import java.time.Duration;
import java.util.Arrays;

/**
 * What data planes promise of the storage of another region that they read through to: they find what all must find
 * there, while nothing has failed between the regions for a minute, and serve it as it was stored there once. The first
 * questions afterwards may miss it, but for one. All times are nanoseconds of the world.
 */
public final class OriginPromises {
    /** A pause of 10 s after a failure, questions that are under way, and a new look at what the other region has. */
    private static final long RECOVERED = Duration.ofSeconds(60).toNanos();

    /** After failures one question is the trial, and others are not asked until it is answered. */
    private static final long TRIAL = Duration.ofSeconds(5).toNanos();

    private final Promises promises;
    private long failed = 0;

    /** When a question first got no block since the last failure, of each kind: each has a trial of its own. */
    private final long[] missed = {Long.MAX_VALUE, Long.MAX_VALUE};

    /** @param promises of the other region */
    public OriginPromises(Promises promises) {
        this.promises = promises;
    }

    /** Nothing is promised until then, and for a minute more. */
    public void fails(long until) {
        failed = Math.max(failed, until);
        Arrays.fill(missed, Long.MAX_VALUE);
    }

    /**
     * Files of presence there are damaged or deleted: processes find that out when they are asked, and list their
     * storage, which this region does not (decision 31). So nothing is promised any more.
     */
    public void spoilt() {
        failed = Long.MAX_VALUE / 2;
    }

    /** Whether a block must be found that a lookup, or a read, asked for at this time and did not find. */
    boolean isMissed(String block, boolean isLookUp, long asked) {
        if (failed + RECOVERED >= asked || !promises.isDueElsewhere(block, asked)) {
            return false;
        }
        int kind = isLookUp ? 0 : 1;
        missed[kind] = Math.min(missed[kind], asked);
        return missed[kind] + TRIAL < asked;
    }

    boolean wasThere(String block) {
        return promises.wasThere(block);
    }

    boolean wasStored(String block, int content) {
        return promises.wasStored(block, content);
    }
}
