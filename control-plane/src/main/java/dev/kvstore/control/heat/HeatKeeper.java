package dev.kvstore.control.heat;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Merges reports that have come together, and forgets what is old, for as long as the process runs. */
@Singleton
public final class HeatKeeper {
    private static final Duration PERIOD = Duration.ofSeconds(10);
    private static final Logger LOG = System.getLogger(HeatKeeper.class.getName());

    private final HeatLedger ledger;
    private final Semaphore stop = new Semaphore(0);
    private @Nullable Thread thread;

    HeatKeeper(HeatLedger ledger) {
        this.ledger = ledger;
    }

    void start(@Observes StartupEvent started) {
        thread = Thread.ofVirtual().name("heat").start(this::run);
    }

    void stop(@Observes ShutdownEvent stopping) throws InterruptedException {
        stop.release();
        if (thread != null) {
            thread.interrupt();
            thread.join();
        }
    }

    private void run() {
        boolean away = false;
        try {
            while (!stop.tryAcquire(PERIOD.toNanos(), TimeUnit.NANOSECONDS)) {
                try {
                    round();
                    away = false;
                } catch (SQLException | RuntimeException e) {
                    if (!away) {
                        LOG.log(Level.WARNING, "reports of use are merged later: {0}", e.getMessage());
                    }
                    away = true;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void round() throws SQLException {
        for (HeatLedger.Subject subject : ledger.crowded()) {
            ledger.merge(subject);
        }
        ledger.forget();
    }
}
