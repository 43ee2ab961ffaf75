package dev.kvstore.control.database;

import dev.kvstore.admin.database.Vital;
import dev.kvstore.control.metrics.ControlPlaneMetrics;
import io.agroal.api.AgroalDataSource;
import io.agroal.api.AgroalDataSource.FlushMode;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.agroal.DataSource;
import jakarta.enterprise.inject.Default;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Tells whether the database takes changes. After a failover the pools' connections may lead to the former primary,
 * which is a standby now and would stay connected for ever. So while changes are refused, idle connections are closed
 * and made anew, which leads to the primary once its name does. Readiness reports the state and stays up: a database
 * without changes still answers questions. Thread-safe.
 */
@Default
@Readiness
@Singleton
public final class DatabaseChanges implements HealthCheck {
    /**
     * The time between two renewals of connections: a database that is read-only for hours must not be flooded with
     * them.
     */
    static final Duration RENEWAL = Duration.ofSeconds(5);

    private static final Logger LOG = System.getLogger(DatabaseChanges.class.getName());

    private final AgroalDataSource admins;
    private final AgroalDataSource vital;
    private volatile boolean refusing;
    private long renewed;

    DatabaseChanges(AgroalDataSource admins, @DataSource(Vital.POOL) AgroalDataSource vital, MeterRegistry meters) {
        this.admins = admins;
        this.vital = vital;
        ControlPlaneMetrics.DATABASE_READ_ONLY.gauge(meters, this, of -> of.refusing ? 1 : 0);
    }

    /** A change was made. */
    public void taken() {
        if (refusing) {
            LOG.log(Level.WARNING, "the database takes changes again");
        }
        refusing = false;
    }

    /** A change was refused, since the database is read-only. One thread calls this. */
    public void refused() {
        long now = System.nanoTime();
        if (!refusing) {
            LOG.log(
                    Level.ERROR,
                    "the database takes no changes: it is a standby, or read-only (a full disk has managed databases be so)."
                            + " Until it does, changes are answered with 503, and no lease is renewed");
        } else if (now - renewed < RENEWAL.toNanos()) {
            return;
        }
        refusing = true;
        renewed = now;
        admins.flush(FlushMode.GRACEFUL);
        vital.flush(FlushMode.GRACEFUL);
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("database changes")
                .withData("changes", refusing ? "refused: the database is read-only" : "taken")
                .up()
                .build();
    }
}
