package dev.kvstore.client.internal;

import dev.kvstore.client.internal.http2.Nanos;
import java.time.Duration;

/**
 * Tells a process that is frozen from one that is slow: who has operations to answer and says nothing for half of the
 * limit is asked for its health, which costs it nothing; who does not answer that for the other half is frozen. Looked
 * at once every {@link #TICK}: the second half is counted in looks, so that a client that stood still itself does not
 * blame others for it. For one thread.
 */
final class Silence {
    /** A quarter of the least limit there may be. */
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
     * @param waiting whether the process owes anything
     * @param heard when it last showed to be alive
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
