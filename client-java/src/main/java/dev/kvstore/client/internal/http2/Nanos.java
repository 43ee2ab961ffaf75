package dev.kvstore.client.internal.http2;

import java.time.Duration;

/** Converts durations of any length to nanoseconds. Stateless. */
public final class Nanos {
    /**
     * The longest duration, that of gRPC's longest deadline. Sums and differences with a clock's time do not overflow.
     */
    static final Duration LONGEST = Duration.ofDays(100 * 365);

    private Nanos() {}

    /**
     * The duration's nanoseconds; the nanoseconds of {@link #LONGEST} if it is longer, for which
     * {@link Duration#toNanos} throws.
     */
    public static long of(Duration duration) {
        return duration.compareTo(LONGEST) < 0 ? duration.toNanos() : LONGEST.toNanos();
    }

    /** The duration's milliseconds as an int, which sockets take. */
    public static int millis(Duration duration) {
        return (int) Math.min(Integer.MAX_VALUE, of(duration) / 1_000_000);
    }
}
