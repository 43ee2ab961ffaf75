package dev.kvstore.launcher;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Turns Ctrl-C and SIGTERM into an interrupt, so that started programs are stopped in order before this process ends.
 */
public final class StopSignal {
    // 128 + SIGINT. Nobody sees this code: a process that ends by a signal has the signal's exit code.
    private static final int INTERRUPTED = 130;

    private StopSignal() {}

    /**
     * Does the work in this thread. When the process is asked to end, the thread is interrupted, and the process waits
     * until the work has ended. Its exit code is then 128 plus the signal's number, whatever the work returned: 130
     * after Ctrl-C, 143 after SIGTERM.
     */
    public static int guard(PrintWriter err, Callable<Integer> work) throws Exception {
        Thread worker = Thread.currentThread();
        AtomicBoolean asked = new AtomicBoolean();
        CountDownLatch ended = new CountDownLatch(1);
        Thread hook = Thread.ofPlatform().unstarted(() -> {
            if (ended.getCount() > 0) {
                err.println("kv: stopping ...");
                err.flush();
                asked.set(true);
                worker.interrupt();
                awaitEnd(ended);
            }
        });
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return work.call();
        } catch (Exception e) {
            if (asked.get()) {
                return INTERRUPTED;
            }
            throw e;
        } finally {
            ended.countDown();
        }
    }

    private static void awaitEnd(CountDownLatch ended) {
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
