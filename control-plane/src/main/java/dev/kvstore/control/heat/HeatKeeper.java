package dev.kvstore.control.heat;

import dev.kvstore.control.loop.Repeating;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Merges reports that have come in, and deletes old ones, for as long as the process runs. */
@Singleton
public final class HeatKeeper {
    private static final Duration PERIOD = Duration.ofSeconds(10);
    private static final Logger LOG = System.getLogger(HeatKeeper.class.getName());

    private final HeatLedger ledger;
    private @Nullable Repeating loop;

    HeatKeeper(HeatLedger ledger) {
        this.ledger = ledger;
    }

    void start(@Observes StartupEvent started) {
        loop = Repeating.start("heat", PERIOD, "reports of use are merged later", this::round);
    }

    void stop(@Observes ShutdownEvent stopping) {
        Repeating current = loop;
        if (current != null) {
            current.close();
        }
    }

    private void round() throws SQLException {
        ledger.forget();
        for (HeatLedger.HeatSubject subject : ledger.crowded()) {
            merge(subject);
        }
    }

    /** Merges an account's reports. A failure does not keep the reports of other accounts from being merged. */
    private void merge(HeatLedger.HeatSubject subject) {
        try {
            ledger.merge(subject);
        } catch (SQLException | RuntimeException | Error e) {
            LOG.log(
                    Level.WARNING,
                    "reports of the use of {0} in {1} are merged later: {2}",
                    subject.resourceName(),
                    subject.region(),
                    e);
        }
    }
}
