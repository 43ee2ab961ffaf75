package dev.kvstore.benchmark.soak;

import dev.kvstore.launcher.process.Readiness;
import dev.kvstore.launcher.stack.StackDataPlane;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Asks each data plane for its health, beside the clients and by other means, and notes when clients leave one alone
 * although it answered. Thread-safe.
 */
final class Bystander implements AutoCloseable {
    private static final long PERIOD_MILLIS = 200;

    // Half of the 2 s after which the SDK leaves a silent process alone.
    private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

    // An ejection is seen at the next look, or at the one after it; the silence before it lasted 2 s.
    private static final long MEMORY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final LongSupplier ejections;
    private final CountDownLatch ending = new CountDownLatch(1);
    private final List<Thread> threads;
    private final AtomicLong longestNanos = new AtomicLong();
    private final AtomicLong silentUntil = new AtomicLong(System.nanoTime() - MEMORY_NANOS);
    private long seen;
    private long withoutCause;

    /** @param ejections of all clients together, since the beginning */
    Bystander(List<StackDataPlane> dataPlanes, LongSupplier ejections) {
        this.ejections = ejections;
        this.threads = dataPlanes.stream()
                .map(dataPlane -> Thread.startVirtualThread(() -> watch(dataPlane)))
                .toList();
    }

    private void watch(StackDataPlane dataPlane) {
        Readiness health = Readiness.http(dataPlane.metricsUrl().resolve("/q/health/live"));
        try {
            do {
                long asked = System.nanoTime();
                boolean answered = health.isReady();
                long silent = System.nanoTime() - asked;
                longestNanos.accumulateAndGet(silent, Math::max);
                if (!answered || silent > SILENCE_NANOS) {
                    silentUntil.accumulateAndGet(System.nanoTime(), Math::max);
                }
                look();
            } while (!ending.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
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
        ending.countDown();
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        look();
    }
}
