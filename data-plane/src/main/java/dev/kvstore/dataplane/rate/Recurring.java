package dev.kvstore.dataplane.rate;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * A task that a timer runs again and again. A timer drops a task that throws, without a word; this one logs every
 * exception of a run, an {@link Error} too, and the next run comes all the same. Thread-safe if the task is.
 */
public final class Recurring implements Runnable {
    private static final Logger LOG = System.getLogger(Recurring.class.getName());

    private final String subject;
    private final Runnable task;

    /**
     * @param subject a name for the task, for the log: "presence is told"
     */
    public Recurring(String subject, Runnable task) {
        this.subject = subject;
        this.task = task;
    }

    @Override
    @SuppressWarnings("CatchingUnchecked") // the task must outlive whatever one run throws
    public void run() {
        try {
            task.run();
        } catch (Exception | Error e) {
            LOG.log(Level.ERROR, subject + ": this run failed; the next one comes at its time", e);
        }
    }
}
