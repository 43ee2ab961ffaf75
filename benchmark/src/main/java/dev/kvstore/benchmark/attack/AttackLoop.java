package dev.kvstore.benchmark.attack;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Threads that do something again and again, each as soon as it was answered, or at a rate. */
final class AttackLoop implements Attack.RunningAttack {
    private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

    private final AtomicLong done = new AtomicLong();
    private final AtomicLong won = new AtomicLong();
    private final AtomicBoolean ending = new AtomicBoolean();
    private final Runnable end;
    private final List<Thread> threads;

    private AttackLoop(int threads, int perSecond, IntPredicate step, Runnable end) {
        this.end = end;
        long interval = perSecond == 0 ? 0 : NANOS * threads / perSecond;
        this.threads = IntStream.range(0, threads)
                .mapToObj(first -> Thread.startVirtualThread(() -> run(first, threads, interval, step)))
                .toList();
    }

    private void run(int first, int stride, long interval, IntPredicate step) {
        long next = System.nanoTime();
        for (int i = first; !ending.get(); i += stride) {
            if (step.test(i)) {
                won.incrementAndGet();
            }
            done.incrementAndGet();
            // A step that was late is not made up for.
            next = Math.max(next + interval, System.nanoTime());
            LockSupport.parkNanos(next - System.nanoTime());
        }
    }

    /**
     * Begins.
     *
     * @param step is given another number each time
     * @param end is called first when the attack ends; steps under way return soon after
     */
    static AttackLoop begin(int threads, IntConsumer step, Runnable end) {
        return counting(
                threads,
                i -> {
                    step.accept(i);
                    return false;
                },
                end);
    }

    /**
     * A loop that counts the steps that won something.
     *
     * @param step says whether it won an answer that an attacker must not get
     */
    static AttackLoop counting(int threads, IntPredicate step, Runnable end) {
        return new AttackLoop(threads, 0, step, end);
    }

    /**
     * A loop that counts the steps that won something, at a limited rate.
     *
     * @param perSecond the most steps of all threads together
     */
    static AttackLoop counting(int threads, int perSecond, IntPredicate step, Runnable end) {
        return new AttackLoop(threads, perSecond, step, end);
    }

    @Override
    public long done() {
        return done.get();
    }

    @Override
    public long won() {
        return won.get();
    }

    @Override
    public void close() {
        ending.set(true);
        end.run();
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
