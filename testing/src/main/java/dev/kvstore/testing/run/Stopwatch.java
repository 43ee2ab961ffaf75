package dev.kvstore.testing.run;

import java.time.Duration;

/** Measures the time since its creation. */
record Stopwatch(long startedNanos) {
    static Stopwatch start() {
        return new Stopwatch(System.nanoTime());
    }

    Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - startedNanos);
    }
}
