package dev.kvstore.client.internal;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Time as retries and penalties see it. Thread-safe. */
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

    /** Nanoseconds since some moment; only differences mean something. */
    long nanos();

    /** Waits for an end, but no longer than this time. Answers whether the end has come. */
    boolean await(CountDownLatch end, Duration most) throws InterruptedException;
}
