package dev.kvstore.admin.refusal;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Writes refusals down as they come, one batch after the other; while the database is away, it waits for it. */
@Singleton
public class RefusalWriter {
    private static final Logger LOG = System.getLogger(RefusalWriter.class.getName());
    private static final Duration PAUSE = Duration.ofSeconds(2);

    /** So that many refusals are few transactions. */
    private static final Duration GATHERING = Duration.ofMillis(500);

    private final Refusals refusals;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread = Thread.ofVirtual().name("refusals").unstarted(this::run);

    RefusalWriter(Refusals refusals) {
        this.refusals = refusals;
    }

    void start(@Observes StartupEvent started) {
        thread.start();
    }

    void stop(@Observes ShutdownEvent stopped) {
        stopping.countDown();
        thread.interrupt();
    }

    private void run() {
        try {
            while (!stopping.await(GATHERING.toMillis(), TimeUnit.MILLISECONDS)) {
                List<Refusals.Waiting> batch = refusals.next();
                while (!isWritten(batch)) {
                    if (stopping.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                        return;
                    }
                }
            }
        } catch (InterruptedException e) {
            // It is being stopped.
        }
    }

    private boolean isWritten(List<Refusals.Waiting> batch) {
        try {
            refusals.write(batch);
            return true;
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "refusals are kept later: the database does not take them: {0}", e.getMessage());
            return false;
        }
    }
}
