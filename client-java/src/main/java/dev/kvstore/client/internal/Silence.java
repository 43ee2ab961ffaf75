package dev.kvstore.client.internal;

import dev.kvstore.client.internal.http2.Nanos;
import java.time.Duration;

/**
 * Tells a frozen data plane from a slow one. If a data plane owes answers and sends nothing for half of the limit, the
 * client asks for its health, which costs the data plane nothing. After another quarter without a byte, the client asks
 * over a new connection. After the whole limit without a byte, the data plane is frozen. The client looks once every
 * {@link #TICK}; the second half of the limit is counted in looks, so that a pause of the client itself does not count.
 * One thread uses it.
 */
final class Silence {
    /** The time between two looks: a quarter of the least limit. */
    static final Duration TICK = Duration.ofMillis(100);

    enum Verdict {
        ALIVE,
        ASK,
        ASK_ASIDE,
        FROZEN
    }

    private boolean asked;
    private long looks;

    /**
     * Looks once at the data plane.
     *
     * @param waiting whether the data plane owes an answer
     * @param heard the time at which it last sent something
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
        long before = looks * TICK.toNanos();
        looks++;
        long waited = looks * TICK.toNanos();
        long half = Nanos.of(limit) / 2;
        if (waited < half) {
            return before < half / 2 && waited >= half / 2 ? Verdict.ASK_ASIDE : Verdict.ALIVE;
        }
        asked = false;
        return Verdict.FROZEN;
    }
}
