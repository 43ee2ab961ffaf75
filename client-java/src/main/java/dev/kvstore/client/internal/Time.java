package dev.kvstore.client.internal;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The time for retries and penalties. Thread-safe. */
public interface Time {
    Time SYSTEM = new Time() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public boolean await(CountDownLatch end, Duration most) throws InterruptedException {
            return end.await(most.toNanos(), TimeUnit.NANOSECONDS);
        }
    };

    /** The nanoseconds since some moment; only differences have a meaning. */
    long nanos();

    /** Waits for an end, at most for a given time. Returns whether the end has come. */
    boolean await(CountDownLatch end, Duration most) throws InterruptedException;
}
