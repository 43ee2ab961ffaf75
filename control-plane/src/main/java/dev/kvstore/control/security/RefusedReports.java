package dev.kvstore.control.security;

import dev.kvstore.accounts.account.Probes;
import dev.kvstore.control.metrics.ControlPlaneMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Counts reports on work that was given to another data plane. Some are honest: of a data plane that was late, or that has
 * registered anew meanwhile. Thread-safe.
 */
@Singleton
public final class RefusedReports {
    private static final Logger LOG = System.getLogger(RefusedReports.class.getName());

    private final Counter probes;
    private final Counter copied;
    private final Counter listed;

    RefusedReports(MeterRegistry registry) {
        probes = ControlPlaneMetrics.REPORTS_REFUSED.counter(registry, "probe");
        copied = ControlPlaneMetrics.REPORTS_REFUSED.counter(registry, "copied");
        listed = ControlPlaneMetrics.REPORTS_REFUSED.counter(registry, "listed");
    }

    /** Of a trial of storage. */
    public void probe(Probes.Trial trial, String by) {
        probes.increment();
        LOG.log(
                Level.INFO,
                "a report of {0} on the storage of {1} in {2} is not taken: it was given to another data plane",
                by,
                trial.resourceName(),
                trial.region());
    }

    /** Of blocks that were copied. */
    public void copied(String reason) {
        copied.increment();
        LOG.log(Level.INFO, "a report on copied blocks is not taken: {0}", reason);
    }

    /** Of blocks that were listed. */
    public void listed(String reason) {
        listed.increment();
        LOG.log(Level.INFO, "a report on listed blocks is not taken: {0}", reason);
    }
}
