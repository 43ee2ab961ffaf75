package dev.kvstore.listener;

import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A timer for alarms that are mostly cancelled before they are due: setting and cancelling one wakes no thread. */
public final class CoarseTimer {
    /** The precision of the timer. */
    private static final long TICK_MILLIS = 100;

    private static final HashedWheelTimer TIMER =
            new HashedWheelTimer(new DefaultThreadFactory("later", true), TICK_MILLIS, TimeUnit.MILLISECONDS);

    private CoarseTimer() {}

    /** Runs an action after a delay, up to 200 ms later; the action must not wait. */
    public static Timeout in(Duration delay, Runnable action) {
        return TIMER.newTimeout(_ -> action.run(), delay.toMillis(), TimeUnit.MILLISECONDS);
    }
}
