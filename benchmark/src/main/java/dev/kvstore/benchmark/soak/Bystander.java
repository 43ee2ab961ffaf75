package dev.kvstore.benchmark.soak;

import dev.kvstore.benchmark.measure.CallLoad;
import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.launcher.stack.StackDataPlane;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Asks each data plane for its health, beside the clients and by other means, and notes when clients leave one alone
 * although it answered. Thread-safe.
 */
final class Bystander implements AutoCloseable {
    private static final Duration PERIOD = Duration.ofMillis(200);

    // Half of the 2 s after which the SDK leaves a silent process alone.
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    // An ejection is seen at the next look, or at the one after it; the silence before it lasted 2 s.
    private static final long MEMORY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final LongSupplier ejections;
    private final CallLoad load = new CallLoad();
    private final AtomicLong longestNanos = new AtomicLong();
    private final AtomicLong silentUntil = new AtomicLong(System.nanoTime() - MEMORY_NANOS);
    private long seen;
    private long withoutCause;

    /** @param ejections of all clients together, since the beginning */
    Bystander(List<StackDataPlane> dataPlanes, LongSupplier ejections) {
        this.ejections = ejections;
        for (StackDataPlane dataPlane : dataPlanes) {
            Readiness health = Readiness.http(dataPlane.metricsUrl().resolve("/q/health/live"));
            load.pausing(1, PERIOD, _ -> ask(health));
        }
    }

    private void ask(Readiness health) throws InterruptedException {
        long asked = System.nanoTime();
        boolean answered = health.isReady();
        long silent = System.nanoTime() - asked;
        longestNanos.accumulateAndGet(silent, Math::max);
        if (!answered || silent > SILENCE_NANOS) {
            silentUntil.accumulateAndGet(System.nanoTime(), Math::max);
        }
        look();
    }

    private synchronized void look() {
        long now = ejections.getAsLong();
        if (now > seen && System.nanoTime() - silentUntil.get() > MEMORY_NANOS) {
            withoutCause += now - seen;
        }
        seen = now;
    }

    /** Times a client left a process alone. */
    synchronized long ejections() {
        return seen;
    }

    /** The ejections before which no process had been silent for a second in the last ten seconds. */
    synchronized long ejectionsWithoutCause() {
        return withoutCause;
    }

    /** The longest time that an answer took. */
    double longestSilenceMillis() {
        return longestNanos.get() / 1e6;
    }

    @Override
    public void close() {
        load.close();
        look();
    }
}
