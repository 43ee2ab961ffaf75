package dev.kvstore.dataplane.account.control;

import java.time.Duration;
import java.time.Instant;

/**
 * A moment by two clocks: the wall clock, which may be set back, and a counter that only goes on, but may stand still
 * while a machine sleeps.
 *
 * @param time by the wall clock
 * @param nanos of the counter, of no meaning in themselves
 */
record ClockMoment(Instant time, long nanos) {
    /** The longest age of a file that is worth reading. */
    private static final Duration LONGEST = Duration.ofDays(365);

    /** The time since an earlier moment, by the clock that says longer. */
    Duration since(ClockMoment earlier) {
        Duration told = Duration.between(earlier.time, time);
        Duration passed = Duration.ofNanos(nanos - earlier.nanos);
        return told.compareTo(passed) > 0 ? told : passed;
    }

    /** The moment of this time, as the wall clock counts back from now; this moment, if the time is later. */
    ClockMoment back(Instant earlier) {
        Duration ago = Duration.between(earlier, time);
        if (ago.isNegative()) {
            return this;
        }
        return new ClockMoment(earlier, nanos - (ago.compareTo(LONGEST) < 0 ? ago : LONGEST).toNanos());
    }
}
