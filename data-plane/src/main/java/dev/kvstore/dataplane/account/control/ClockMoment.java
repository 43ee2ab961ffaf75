package dev.kvstore.dataplane.account.control;

import java.time.Duration;
import java.time.Instant;

/**
 * A moment, by the clock that all know and by one that only goes on: of these, the first may be set back and the second
 * may stand still while a machine sleeps.
 *
 * @param time by the first
 * @param nanos by the second, of no meaning in itself
 */
record ClockMoment(Instant time, long nanos) {
    /** The longest age of a file that is worth reading. */
    private static final Duration LONGEST = Duration.ofDays(365);

    /** How long ago another was, by the clock that says longer. */
    Duration since(ClockMoment earlier) {
        Duration told = Duration.between(earlier.time, time);
        Duration passed = Duration.ofNanos(nanos - earlier.nanos);
        return told.compareTo(passed) > 0 ? told : passed;
    }

    /** The moment that had this time, by what the first clock says now; this one, if none has had it yet. */
    ClockMoment back(Instant earlier) {
        Duration ago = Duration.between(earlier, time);
        if (ago.isNegative()) {
            return this;
        }
        return new ClockMoment(earlier, nanos - (ago.compareTo(LONGEST) < 0 ? ago : LONGEST).toNanos());
    }
}
