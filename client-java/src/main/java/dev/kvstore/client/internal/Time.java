package dev.kvstore.client.internal;

import java.time.Duration;

/** Time as retries and penalties see it. Thread-safe. */
public interface Time {
    Time SYSTEM = new Time() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void sleep(Duration pause) throws InterruptedException {
            Thread.sleep(pause);
        }
    };

    /** Nanoseconds since some moment; only differences mean something. */
    long nanos();

    void sleep(Duration pause) throws InterruptedException;
}
