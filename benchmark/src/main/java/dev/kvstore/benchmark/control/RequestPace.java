package dev.kvstore.benchmark.control;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How something is asked.
 *
 * @param callers how many at a time
 * @param perSecond by each caller; 0 for again as soon as it is answered
 */
record RequestPace(int callers, int perSecond) {
    boolean isPaced() {
        return perSecond > 0;
    }

    /**
     * Returns at the moment of a call; at once if there is no pace.
     *
     * @param start by {@link System#nanoTime()}, of the first call
     * @param call from 0, counted over all callers
     */
    void awaitTurn(long start, long call) {
        if (isPaced()) {
            long due = start + call * TimeUnit.SECONDS.toNanos(1) / ((long) perSecond * callers);
            for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    }
}
