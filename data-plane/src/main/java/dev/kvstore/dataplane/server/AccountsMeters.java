package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.account.AccountResolver;
import dev.kvstore.dataplane.account.control.ControlPlaneAccountResolver;
import dev.kvstore.dataplane.account.control.Tally;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;

/** What is told at {@code /q/metrics} of asking the control plane, if it is asked. */
@Singleton
public final class AccountsMeters {
    void register(@Observes StartupEvent started, MeterRegistry meters, AccountResolver accounts) {
        if (accounts instanceof ControlPlaneAccountResolver resolver) {
            register(resolver, meters);
        }
    }

    static void register(ControlPlaneAccountResolver resolver, MeterRegistry meters) {
        for (Tally.Outcome outcome : Tally.Outcome.values()) {
            FunctionCounter.builder("kvstore.accounts.resolves", resolver.tally(), tally -> tally.resolves(outcome))
                    .tag("outcome", outcome.tag())
                    .description("Questions to the control plane")
                    .register(meters);
        }
        FunctionCounter.builder("kvstore.accounts.changes", resolver.tally(), Tally::changes)
                .description("Keys and resources of which a change was heard")
                .register(meters);
        Gauge.builder("kvstore.accounts.cached", resolver, ControlPlaneAccountResolver::count)
                .description("Answers kept that grant something")
                .register(meters);
        Gauge.builder("kvstore.accounts.watch.connected", resolver, of -> of.isWatching() ? 1 : 0)
                .description("1 while changes are heard of")
                .register(meters);
        Gauge.builder("kvstore.accounts.confirmed.age", resolver, AccountsMeters::ageSeconds)
                .baseUnit("seconds")
                .description("Time since what is kept was known to hold")
                .register(meters);
    }

    private static double ageSeconds(ControlPlaneAccountResolver resolver) {
        return resolver.confirmedAge()
                .map(Duration::toMillis)
                .map(millis -> millis / 1000.0)
                .orElse(Double.NaN);
    }
}
