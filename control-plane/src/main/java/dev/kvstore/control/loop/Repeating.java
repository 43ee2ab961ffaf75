package dev.kvstore.control.loop;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Does work again and again on a virtual thread of its own, until it is closed. Whatever a round throws, an
 * {@link Error} too, ends that round alone. Thread-safe.
 */
public final class Repeating implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Repeating.class.getName());

    /** The work of one round. */
    @FunctionalInterface
    public interface RoundWork {
        void run() throws Exception;
    }

    private final Duration period;
    private final RoundWork work;
    private final String trouble;
    private final Semaphore woken = new Semaphore(0);
    private final Thread thread;
    private volatile boolean closed;
    private boolean failing;

    private Repeating(String name, Duration period, RoundWork work, String trouble) {
        this.period = period;
        this.work = work;
        this.trouble = trouble;
        this.thread = Thread.ofVirtual().name(name).unstarted(this::run);
    }

    /**
     * Starts the work; the first round begins at once.
     *
     * @param period between the end of a round and the next, if nobody wakes it before
     * @param trouble the effect of a failed round on the user, for the log
     */
    public static Repeating start(String name, Duration period, String trouble, RoundWork work) {
        Repeating repeating = new Repeating(name, period, work, trouble);
        repeating.thread.start();
        return repeating;
    }

    /** Makes the next round begin at once. */
    public void wake() {
        woken.release();
    }

    private void run() {
        while (!closed) {
            try {
                work.run();
                failing = false;
            } catch (InterruptedException e) {
                // Only a call of close interrupts this thread.
                return;
            } catch (Throwable e) {
                failed(e);
            }
            try {
                var _ = woken.tryAcquire(period.toNanos(), TimeUnit.NANOSECONDS);
                woken.drainPermits();
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Logs a failed round: an exception once until a round succeeds, an error always. */
    private void failed(Throwable e) {
        try {
            if (closed) {
                return;
            }
            if (e instanceof Error) {
                LOG.log(Level.ERROR, trouble, e);
            } else if (!failing) {
                LOG.log(Level.WARNING, trouble + ": {0}", reason(e));
            }
            failing = true;
        } catch (Throwable again) {
            // There is no memory to log this.
        }
    }

    private static String reason(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    /** Ends the round that runs, and waits for its end. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
