package dev.kvstore.benchmark.kvcache.engine;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The time of a run.
 *
 * @param nanoTime as {@link System#nanoTime}
 * @param park waits for so many nanoseconds, or for less; until then if it is woken
 */
public record EngineTime(LongSupplier nanoTime, LongConsumer park) {
    public static final EngineTime SYSTEM = new EngineTime(System::nanoTime, LockSupport::parkNanos);

    long nanos() {
        return nanoTime.getAsLong();
    }
}
