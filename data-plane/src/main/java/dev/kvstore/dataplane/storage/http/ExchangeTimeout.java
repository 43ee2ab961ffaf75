package dev.kvstore.dataplane.storage.http;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Does something unless it is told otherwise in time. Setting it again is cheap: the timer runs on, and looks again
 * when it ends. Only for one event loop.
 */
final class ExchangeTimeout {
    private final EventLoop loop;
    private @Nullable Runnable action;
    private long deadline;
    private @Nullable ScheduledFuture<?> timer;
    private long timerEnd;

    ExchangeTimeout(EventLoop loop) {
        this.loop = loop;
    }

    /** Sets the only time limit from now on. */
    void set(Duration patience, Runnable otherwise) {
        action = otherwise;
        deadline = System.nanoTime() + patience.toNanos();
        if (timer != null && timerEnd - deadline > 0) {
            timer.cancel(false);
            timer = null;
        }
        if (timer == null) {
            start(patience.toNanos());
        }
    }

    /** Removes the time limit. */
    void clear() {
        action = null;
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    private void start(long nanos) {
        timerEnd = System.nanoTime() + nanos;
        timer = loop.schedule(this::look, nanos, TimeUnit.NANOSECONDS);
    }

    private void look() {
        timer = null;
        Runnable due = action;
        long left = deadline - System.nanoTime();
        if (due != null && left > 0) {
            start(left);
        } else if (due != null) {
            action = null;
            due.run();
        }
    }
}
