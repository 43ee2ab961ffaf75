package dev.kvstore.control.warming;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Plans warmings, says whether there are any, and forgets old ones, for as long as the process runs. */
@Singleton
public class WarmingKeeper {
    /** A warming that somebody wants begins within this, and a data plane's next question. */
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private static final int ROUNDS_BETWEEN_FORGETTING = 600;
    private static final int ROUNDS_BETWEEN_COUNTING = 10;
    private static final Logger LOG = System.getLogger(WarmingKeeper.class.getName());

    private final Jobs jobs;
    private final Planner planner;
    private final Meters meters;
    private final Clock clock;
    private final Semaphore stop = new Semaphore(0);
    private volatile boolean idle;
    private @Nullable Thread thread;

    WarmingKeeper(Jobs jobs, Planner planner, Meters meters, Clock clock) {
        this.jobs = jobs;
        this.planner = planner;
        this.meters = meters;
        this.clock = clock;
    }

    void start(@Observes StartupEvent started) {
        thread = Thread.ofVirtual().name("warming").start(this::run);
    }

    void stop(@Observes ShutdownEvent stopping) throws InterruptedException {
        stop.release();
        if (thread != null) {
            thread.interrupt();
            thread.join();
        }
    }

    /** Whether there was nothing to do a second ago. */
    boolean isIdle() {
        return idle;
    }

    private void run() {
        boolean away = false;
        int rounds = 0;
        try {
            do {
                try {
                    round();
                    if (rounds % ROUNDS_BETWEEN_COUNTING == 0) {
                        meters.count();
                    }
                    if (rounds++ % ROUNDS_BETWEEN_FORGETTING == 0) {
                        jobs.forget(clock.instant());
                    }
                    away = false;
                } catch (SQLException | RuntimeException e) {
                    // Whoever asks now is answered by the database, or not at all.
                    idle = false;
                    if (!away) {
                        LOG.log(Level.WARNING, "warmings are planned later: {0}", e.getMessage());
                    }
                    away = true;
                }
            } while (!stop.tryAcquire(PERIOD.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void round() throws SQLException {
        idle = jobs.isIdle();
        while (!idle && planner.plan()) {
            // The next.
        }
    }
}
