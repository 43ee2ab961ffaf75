package dev.kvstore.simulation.promise;

import java.time.Duration;
import java.util.Arrays;

/**
 * The promises of data planes about the storage of another region that they read through to. While nothing has failed
 * between the regions for a minute, they find each block that all processes of that region must find, and serve it as
 * it was stored there once. All but one of the first questions after that minute may miss the block. All times are
 * nanoseconds of the world.
 */
public final class OriginPromises {
    /**
     * A pause of 10 s after a failure, questions that are under way, and a new look at the blocks of the other region.
     */
    private static final long RECOVERED = Duration.ofSeconds(60).toNanos();

    /** After failures one question is the trial, and a data plane asks no others until the trial is answered. */
    private static final long TRIAL = Duration.ofSeconds(5).toNanos();

    private final Promises promises;
    private long failed = 0;

    /**
     * The times at which a lookup, and a read, first got no block since the last failure: each kind has its own trial.
     */
    private final long[] missed = {Long.MAX_VALUE, Long.MAX_VALUE};

    /** @param promises the promises of the other region */
    public OriginPromises(Promises promises) {
        this.promises = promises;
    }

    /** Nothing is promised until then, and for a minute more. */
    public void fails(long until) {
        failed = Math.max(failed, until);
        Arrays.fill(missed, Long.MAX_VALUE);
    }

    /**
     * Files of presence of the other region are damaged or deleted. Nothing is promised any more: the processes of that
     * region notice it when they are asked, and list their storage, but this region does not list it (decision 31).
     */
    public void spoilt() {
        failed = Long.MAX_VALUE / 2;
    }

    /** Whether a lookup or read that began at this time did not find a block that it must find. */
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
