package dev.kvstore.testing.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** The threads of a scenario. Stateless. */
public final class RacingThreads {
    /** The work of one thread. */
    @FunctionalInterface
    public interface ThreadBody {
        void run() throws Exception;
    }

    private RacingThreads() {}

    /**
     * Runs each body in a thread of its own, and returns when all have ended.
     *
     * @throws AssertionError if a body failed, with its failure as the cause
     */
    public static void race(ThreadBody... bodies) throws InterruptedException {
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (ThreadBody body : bodies) {
            threads.add(Thread.ofPlatform().daemon().unstarted(() -> {
                try {
                    body.run();
                } catch (Throwable e) {
                    failures.add(e);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        Throwable first = failures.poll();
        if (first != null) {
            AssertionError failed = new AssertionError(first.toString(), first);
            failures.forEach(failed::addSuppressed);
            throw failed;
        }
    }
}
