package dev.kvstore.control.security;

import dev.kvstore.accounts.account.Probes;
import dev.kvstore.clusters.lease.LeaseHolder;
import dev.kvstore.control.metrics.ControlPlaneMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * Counts reports that a data plane may not make: on work that was given to another data plane, or on accounts that have
 * no place in its region. Some are honest: the data plane was late, or has registered anew meanwhile. Thread-safe.
 */
@Singleton
public final class RefusedReports {
    private static final Logger LOG = System.getLogger(RefusedReports.class.getName());

    private final Counter probes;
    private final Counter copied;
    private final Counter listed;
    private final Counter heat;

    RefusedReports(MeterRegistry registry) {
        probes = ControlPlaneMetrics.REPORTS_REFUSED.counter(registry, "probe");
        copied = ControlPlaneMetrics.REPORTS_REFUSED.counter(registry, "copied");
        listed = ControlPlaneMetrics.REPORTS_REFUSED.counter(registry, "listed");
        heat = ControlPlaneMetrics.REPORTS_REFUSED.counter(registry, "heat");
    }

    /** Notes a refused report on a trial of storage. */
    public void probe(Probes.ProbeTrial trial, String by) {
        probes.increment();
        LOG.log(
                Level.INFO,
                "a report of {0} on the storage of {1} in {2} is not taken: it was given to another data plane",
                by,
                trial.resourceName(),
                trial.region());
    }

    /** Notes a refused report on copied blocks. */
    public void copied(String reason) {
        copied.increment();
        LOG.log(Level.INFO, "a report on copied blocks is not taken: {0}", reason);
    }

    /** Notes a report on use that names accounts which have no place in the process' region. */
    public void heat(LeaseHolder by) {
        heat.increment();
        LOG.log(
                Level.INFO,
                "a report of {0} of cluster {1} on use is taken in part: some accounts have no place in {2}",
                by.process(),
                by.cluster(),
                by.region());
    }

    /** Notes a refused report on listed blocks. */
    public void listed(String reason) {
        listed.increment();
        LOG.log(Level.INFO, "a report on listed blocks is not taken: {0}", reason);
    }
}
