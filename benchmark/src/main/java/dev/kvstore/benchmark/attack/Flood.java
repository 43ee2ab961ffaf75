package dev.kvstore.benchmark.attack;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Threads that do something again and again, each at a rate, over connections that are made anew when they break. */
final class Flood implements Attack.RunningAttack {
    private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

    // A broken connection is made anew after so long.
    private static final long RECONNECT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong done = new AtomicLong();
    private volatile boolean ending;

    /** Does it once. */
    @FunctionalInterface
    interface FloodStep {
        /** @return how much was done */
        int run(RawConnection connection) throws IOException, InterruptedException;
    }

    private Flood() {}

    /**
     * Begins.
     *
     * @param connections each of a thread of its own
     * @param perSecond steps of all together, over connections that break too
     */
    static Flood begin(String endpoint, int connections, int perSecond, FloodStep step) {
        Flood flood = new Flood();
        for (int i = 0; i < connections; i++) {
            flood.threads.add(Thread.startVirtualThread(() -> flood.run(endpoint, connections, perSecond, step)));
        }
        return flood;
    }

    private void run(String endpoint, int connections, int perSecond, FloodStep step) {
        long interval = NANOS * connections / perSecond;
        long next = System.nanoTime();
        while (!ending) {
            try (RawConnection connection = RawConnection.open(endpoint)) {
                while (!ending) {
                    // A step that was late is not made up for.
                    next = Math.max(next + interval, System.nanoTime());
                    done.addAndGet(step.run(connection));
                    TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
                }
            } catch (IOException closed) {
                if (!pausedUntil(next)) {
                    return;
                }
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** False if the attack ends meanwhile. */
    private static boolean pausedUntil(long next) {
        try {
            TimeUnit.NANOSECONDS.sleep(Math.max(RECONNECT_NANOS, next - System.nanoTime()));
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }

    @Override
    public long done() {
        return done.get();
    }

    @Override
    public void close() {
        ending = true;
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
