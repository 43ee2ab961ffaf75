package dev.kvstore.dataplane.rate;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A task that runs again and again, on a daemon thread of its own. The JDK's timer drops a task that throws, without a
 * word; this one logs every exception of a run, an {@link Error} too, and the next run comes all the same. Thread-safe.
 */
public final class Recurring implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Recurring.class.getName());

    private final ScheduledExecutorService timer;
    private final String subject;
    private final Runnable task;

    /**
     * A task that does not run until it is started.
     *
     * @param thread name of the task's thread
     * @param subject a name for the task, for the log: "presence is told"
     */
    public Recurring(String thread, String subject, Runnable task) {
        this.timer = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name(thread).factory());
        this.subject = subject;
        this.task = task;
    }

    /** Begins. {@code pause} lies between the end of a run and the next run. */
    public void start(Duration first, Duration pause) {
        var _ = timer.scheduleWithFixedDelay(this::run, first.toNanos(), pause.toNanos(), TimeUnit.NANOSECONDS);
    }

    @SuppressWarnings("CatchingUnchecked") // the task must outlive whatever one run throws
    private void run() {
        try {
            task.run();
        } catch (Exception | Error e) {
            LOG.log(Level.ERROR, subject + ": this run failed; the next one comes at its time", e);
        }
    }

    /** Begins no further run. Does not wait for the run under way. */
    @Override
    public void close() {
        timer.shutdown();
    }
}
