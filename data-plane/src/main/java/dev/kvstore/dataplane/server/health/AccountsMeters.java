package dev.kvstore.dataplane.server.health;

import dev.kvstore.dataplane.account.AccountResolver;
import dev.kvstore.dataplane.account.control.ControlPlaneAccountResolver;
import dev.kvstore.dataplane.account.control.ResolverCounters;
import dev.kvstore.dataplane.metrics.ClusterMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;

/** The metrics at {@code /q/metrics} of questions to the control plane, if there is one. */
@Singleton
public final class AccountsMeters {
    public void register(@Observes StartupEvent started, MeterRegistry meters, AccountResolver accounts) {
        if (accounts instanceof ControlPlaneAccountResolver resolver) {
            register(resolver, meters);
        }
    }

    public static void register(ControlPlaneAccountResolver resolver, MeterRegistry meters) {
        for (ResolverCounters.QuestionOutcome outcome : ResolverCounters.QuestionOutcome.values()) {
            ClusterMetrics.ACCOUNT_RESOLUTIONS.counter(
                    meters, resolver.tally(), tally -> tally.resolves(outcome), outcome.tag());
        }
        ClusterMetrics.ACCOUNT_CHANGES.counter(meters, resolver.tally(), ResolverCounters::changes);
        ClusterMetrics.ACCOUNT_CACHED_RESOLUTIONS.gauge(meters, resolver, ControlPlaneAccountResolver::count);
        ClusterMetrics.ACCOUNT_WATCH_CONNECTED.gauge(meters, resolver, of -> of.isWatching() ? 1 : 0);
        ClusterMetrics.ACCOUNT_CONFIRMED_AGE.gauge(meters, resolver, AccountsMeters::ageSeconds);
    }

    private static double ageSeconds(ControlPlaneAccountResolver resolver) {
        return resolver.confirmedAge()
                .map(Duration::toMillis)
                .map(millis -> millis / 1000.0)
                .orElse(Double.NaN);
    }
}
