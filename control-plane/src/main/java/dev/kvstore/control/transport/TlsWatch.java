package dev.kvstore.control.transport;

import dev.kvstore.control.loop.Repeating;
import dev.kvstore.control.metrics.ControlPlaneMetrics;
import dev.kvstore.listener.ListenerTls;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.HealthCheckResponseBuilder;
import org.eclipse.microprofile.health.Readiness;
import org.jspecify.annotations.Nullable;

/**
 * Watches the files of TLS while the process runs. Reports beforehand that the certificate will end, and reports not
 * ready once it has ended, since no new client trusts it. Thread-safe.
 */
@Readiness
@Singleton
public final class TlsWatch implements HealthCheck {
    private final Optional<ListenerTls> tls;
    private final Duration interval;
    private volatile @Nullable Repeating rounds;

    TlsWatch(Optional<ListenerTls> tls, @ConfigProperty(name = "kvstore.tls-reload-interval") Duration interval) {
        this.tls = tls;
        this.interval = interval;
    }

    void start(@Observes StartupEvent started, MeterRegistry meters) {
        tls.ifPresent(listener -> {
            ControlPlaneMetrics.TLS_CERTIFICATE_EXPIRATION.gauge(
                    meters, listener, of -> of.identity().expiry().toEpochMilli() / 1e3);
            ControlPlaneMetrics.TLS_RELOADS.counter(meters, listener, ListenerTls::renewals);
            ControlPlaneMetrics.TLS_RELOAD_FAILURES.counter(meters, listener, ListenerTls::failures);
            rounds = Repeating.start(
                    "tls-files", interval, "the files of TLS are looked at again later", listener::poll);
        });
    }

    void stop(@Observes ShutdownEvent stopping) {
        Repeating current = rounds;
        if (current != null) {
            current.close();
        }
    }

    @Override
    public HealthCheckResponse call() {
        HealthCheckResponseBuilder answer = HealthCheckResponse.named("tls");
        if (tls.isEmpty()) {
            return answer.withData("serving", "plaintext").up().build();
        }
        ListenerTls listener = tls.get();
        answer.withData("certificate", listener.identity().name())
                .withData("until", listener.identity().expiry().toString());
        if (listener.endsSoon()) {
            answer.withData("warning", "renew the certificate in " + listener.option());
        }
        return answer.status(listener.left().isPositive()).build();
    }
}
