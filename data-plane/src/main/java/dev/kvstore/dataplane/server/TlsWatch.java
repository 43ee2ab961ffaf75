package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.metrics.ServerMetrics;
import dev.kvstore.dataplane.rate.Recurring;
import dev.kvstore.dataplane.server.settings.DataPlaneSettings;
import dev.kvstore.listener.ListenerTls;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Looks at the files of TLS while the process runs, and reports their state at {@code /q/metrics}. */
@Singleton
public final class TlsWatch {
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("tls-files").factory());

    void start(
            @Observes StartupEvent started,
            Optional<ListenerTls> tls,
            DataPlaneSettings settings,
            MeterRegistry meters) {
        if (tls.isEmpty()) {
            return;
        }
        ListenerTls listener = tls.get();
        register(listener, meters);
        long millis = settings.tlsReloadInterval().toMillis();
        var _ = timer.scheduleWithFixedDelay(
                new Recurring("the files of TLS are looked at", listener::poll), 0, millis, TimeUnit.MILLISECONDS);
    }

    static void register(ListenerTls listener, MeterRegistry meters) {
        ServerMetrics.TLS_CERTIFICATE_EXPIRATION.gauge(
                meters, listener, tls -> tls.identity().expiry().toEpochMilli() / 1e3);
        ServerMetrics.TLS_RELOADS.counter(meters, listener, ListenerTls::renewals);
        ServerMetrics.TLS_RELOAD_FAILURES.counter(meters, listener, ListenerTls::failures);
    }

    @PreDestroy
    void close() {
        timer.shutdownNow();
    }
}
