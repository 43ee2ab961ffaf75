package dev.kvstore.client.internal;

import dev.kvstore.client.internal.http2.Nanos;
import java.time.Duration;

/**
 * Tells a frozen data plane from a slow one. If a data plane owes answers and sends nothing for half of the limit, it
 * is asked for its health, which costs it nothing. If it sends nothing for the other half either, it is frozen. It is
 * looked at once every {@link #TICK}; the second half is counted in looks, so that a pause of the client itself does
 * not count. For one thread.
 */
final class Silence {
    /** The time between two looks: a quarter of the least limit. */
    static final Duration TICK = Duration.ofMillis(100);

    enum Verdict {
        ALIVE,
        ASK,
        FROZEN
    }

    private boolean asked;
    private long looks;

    /**
     * One look.
     *
     * @param waiting whether the data plane owes an answer
     * @param heard when it last sent something
     */
    Verdict look(boolean waiting, long heard, long now, Duration limit) {
        if (!waiting || now - heard < Nanos.of(limit) / 2) {
            asked = false;
            return Verdict.ALIVE;
        }
        if (!asked) {
            asked = true;
            looks = 0;
            return Verdict.ASK;
        }
        looks++;
        if (looks * TICK.toNanos() < Nanos.of(limit) / 2) {
            return Verdict.ALIVE;
        }
        asked = false;
        return Verdict.FROZEN;
    }
}
