package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.account.control.ControlPlaneReplicas;
import dev.kvstore.dataplane.account.control.FollowedToken;
import dev.kvstore.dataplane.metrics.ServerMetrics;
import dev.kvstore.dataplane.rate.Recurring;
import dev.kvstore.dataplane.server.settings.DataPlaneSettings;
import dev.kvstore.listener.ListenerTls;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Looks at the files of TLS and of the join token while the process runs, and reports their state at {@code /q/metrics}.
 */
@Singleton
public final class FileWatch {
    private final List<Recurring> looks = new ArrayList<>();

    void start(
            @Observes StartupEvent started,
            Optional<ListenerTls> tls,
            Optional<ControlPlaneReplicas> plane,
            DataPlaneSettings settings,
            MeterRegistry meters) {
        Duration pause = settings.tlsReloadInterval();
        tls.ifPresent(listener -> {
            ServerMetrics.TLS_CERTIFICATE_EXPIRATION.gauge(
                    meters, listener, of -> of.identity().expiry().toEpochMilli() / 1e3);
            ServerMetrics.TLS_RELOADS.counter(meters, listener, ListenerTls::renewals);
            ServerMetrics.TLS_RELOAD_FAILURES.counter(meters, listener, ListenerTls::failures);
            look("tls-files", "the files of TLS are looked at", listener::poll, Duration.ZERO, pause);
        });
        plane.map(ControlPlaneReplicas::token).filter(FollowedToken::isFollowed).ifPresent(token -> {
            ServerMetrics.JOIN_TOKEN_RELOADS.counter(meters, token, FollowedToken::renewals);
            ServerMetrics.JOIN_TOKEN_RELOAD_FAILURES.counter(meters, token, FollowedToken::failures);
            look("join-token", "the file of the join token is looked at", token::poll, pause, pause);
        });
    }

    private void look(String thread, String subject, Runnable task, Duration first, Duration pause) {
        Recurring recurring = new Recurring(thread, subject, task);
        looks.add(recurring);
        recurring.start(first, pause);
    }

    @PreDestroy
    void close() {
        looks.forEach(Recurring::close);
    }
}
