package dev.kvstore.client.internal;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Time as retries and penalties see it. Thread-safe. */
public interface Time {
    Time SYSTEM = new Time() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void sleep(Duration pause) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
        }
    };

    /** Nanoseconds since some moment; only differences mean something. */
    long nanos();

    void sleep(Duration pause) throws InterruptedException;
}
