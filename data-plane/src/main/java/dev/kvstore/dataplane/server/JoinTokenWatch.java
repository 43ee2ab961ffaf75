package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.account.control.ControlPlaneReplicas;
import dev.kvstore.dataplane.account.control.FollowedToken;
import dev.kvstore.dataplane.metrics.ServerMetrics;
import dev.kvstore.dataplane.rate.Recurring;
import dev.kvstore.dataplane.server.settings.DataPlaneSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Looks at the file of the join token while the process runs, and reports its state at {@code /q/metrics}. */
@Singleton
public final class JoinTokenWatch {
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("join-token").factory());

    void start(
            @Observes StartupEvent started,
            Optional<ControlPlaneReplicas> plane,
            DataPlaneSettings settings,
            MeterRegistry meters) {
        Optional<FollowedToken> followed =
                plane.map(ControlPlaneReplicas::token).filter(FollowedToken::isFollowed);
        if (followed.isEmpty()) {
            return;
        }
        FollowedToken token = followed.get();
        ServerMetrics.JOIN_TOKEN_RELOADS.counter(meters, token, FollowedToken::renewals);
        ServerMetrics.JOIN_TOKEN_RELOAD_FAILURES.counter(meters, token, FollowedToken::failures);
        long millis = settings.tlsReloadInterval().toMillis();
        var _ = timer.scheduleWithFixedDelay(
                new Recurring("the file of the join token is looked at", token::poll),
                millis,
                millis,
                TimeUnit.MILLISECONDS);
    }

    @PreDestroy
    void close() {
        timer.shutdownNow();
    }
}
