package dev.kvstore.benchmark.sweep;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** When a load is measured, in readings of {@link System#nanoTime}; it may end early. Thread-safe. */
final class MeasuringWindow {
    private final long begin;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile long end;

    MeasuringWindow(long begin, long end) {
        this.begin = begin;
        this.end = end;
    }

    boolean contains(long moment) {
        return moment - begin >= 0 && moment - end < 0;
    }

    /** Whether nothing more is to be begun. */
    boolean isOver(long moment) {
        return moment - end >= 0;
    }

    /** Ends it now, if it has not ended. */
    synchronized void close(long now) {
        if (!isOver(now)) {
            end = now;
            closed.countDown();
        }
    }

    void awaitBegin() throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(begin - System.nanoTime());
    }

    /** Waits for a moment, or for the end if that comes first; whether the window is still open then. */
    boolean await(long moment) throws InterruptedException {
        long now = System.nanoTime();
        return !closed.await(Math.min(moment - now, end - now), TimeUnit.NANOSECONDS) && !isOver(System.nanoTime());
    }

    void awaitEnd() throws InterruptedException {
        var _ = await(end);
    }

    double seconds() {
        return (end - begin) / 1e9;
    }
}
