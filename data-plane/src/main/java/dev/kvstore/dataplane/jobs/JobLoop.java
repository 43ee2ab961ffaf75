package dev.kvstore.dataplane.jobs;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Repeats the steps of a job on a virtual thread of its own. Thread-safe. */
public final class JobLoop implements AutoCloseable {
    private static final Duration LAST_STEP = Duration.ofSeconds(3);

    /** A call of {@link JobCalls}, and some time to notice its end. */
    private static final Duration LAST_CALL = Duration.ofSeconds(6);

    private static final Logger LOG = System.getLogger(JobLoop.class.getName());

    /** A step of a job. */
    @FunctionalInterface
    public interface JobStep {
        /** Does the step. Returns whether the next one is due at once. */
        boolean run() throws InterruptedException;
    }

    private final String name;
    private final JobStep step;
    private final Supplier<Duration> pause;
    private final Semaphore news = new Semaphore(0);
    private volatile boolean closed;
    private volatile @Nullable Thread thread;

    /**
     * A loop that does nothing until it is started.
     *
     * @param name of its thread
     * @param pause how long a step waits if it is not due at once
     */
    public JobLoop(String name, JobStep step, Supplier<Duration> pause) {
        this.name = name;
        this.step = step;
        this.pause = pause;
    }

    /** Begins. */
    public void start() {
        thread = Thread.ofVirtual().name(name).start(this::repeat);
    }

    private void repeat() {
        try {
            while (!closed) {
                if (!run()) {
                    boolean _ = news.tryAcquire(pause.get().toNanos(), TimeUnit.NANOSECONDS);
                    news.drainPermits();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Does a step. Logs its failure. */
    public boolean run() throws InterruptedException {
        try {
            return step.run();
        } catch (RuntimeException | Error e) {
            LOG.log(Level.ERROR, "a step of \"" + name + "\" failed", e);
            return false;
        }
    }

    /** Ends the pause: the next step is due now. */
    public void wake() {
        news.release();
    }

    /** Ends the loop after the step under way, and waits for that, 6 s at most. */
    public void finish() {
        closed = true;
        wake();
        join(LAST_CALL);
    }

    /** Interrupts the step under way, and waits for its end, 3 s at most. */
    @Override
    public void close() {
        closed = true;
        Thread mine = thread;
        if (mine != null) {
            mine.interrupt();
            join(LAST_STEP);
        }
    }

    private void join(Duration atMost) {
        Thread mine = thread;
        try {
            boolean _ = mine == null || mine.join(atMost);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
