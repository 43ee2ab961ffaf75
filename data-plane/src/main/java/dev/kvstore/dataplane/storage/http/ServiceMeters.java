package dev.kvstore.dataplane.storage.http;

import dev.kvstore.dataplane.metrics.StorageMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts connections to the hosts of one service, and requests that wait for one. Thread-safe. */
final class ServiceMeters {
    /**
     * The meters of all services. The tag is a host without the account in front, so there are few; their number is
     * bounded in any case.
     */
    static final class AllServices {
        private static final int MOST_SERVICES = 20;
        private static final String OTHER = "other";

        private final MeterRegistry registry;
        private final Map<String, ServiceMeters> services = new ConcurrentHashMap<>();

        AllServices(MeterRegistry registry) {
            this.registry = registry;
        }

        ServiceMeters of(HttpOrigin origin) {
            String service = service(origin.host());
            String tag = services.containsKey(service) || services.size() < MOST_SERVICES ? service : OTHER;
            return services.computeIfAbsent(tag, name -> new ServiceMeters(registry, name));
        }

        /**
         * The service of a host: {@code blob.core.windows.net} of {@code account.blob.core.windows.net}; addresses and
         * short names stay as they are.
         */
        static String service(String host) {
            int dot = host.indexOf('.');
            boolean account = dot > 0 && host.indexOf('.', dot + 1) > 0 && !host.matches("[0-9.]+");
            return account ? host.substring(dot + 1) : host;
        }
    }

    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger active = new AtomicInteger();
    private final AtomicInteger pending = new AtomicInteger();
    private final Counter connected;
    private final Counter unconnected;
    private final Counter fullHandshakes;
    private final Counter resumedHandshakes;

    private ServiceMeters(MeterRegistry registry, String service) {
        StorageMetrics.CONNECTIONS.gauge(registry, active, AtomicInteger::get, service, "active");
        StorageMetrics.CONNECTIONS.gauge(registry, open, all -> Math.max(0, all.get() - active.get()), service, "idle");
        StorageMetrics.PENDING_REQUESTS.gauge(registry, pending, AtomicInteger::get, service);
        this.connected = StorageMetrics.CONNECTION_ATTEMPTS.counter(registry, service, "opened");
        this.unconnected = StorageMetrics.CONNECTION_ATTEMPTS.counter(registry, service, "failed");
        this.fullHandshakes = StorageMetrics.TLS_HANDSHAKES.counter(registry, service, "full");
        this.resumedHandshakes = StorageMetrics.TLS_HANDSHAKES.counter(registry, service, "resumed");
    }

    void opened() {
        open.incrementAndGet();
        connected.increment();
    }

    void closed() {
        open.decrementAndGet();
    }

    void notOpened() {
        unconnected.increment();
    }

    void waiting() {
        pending.incrementAndGet();
    }

    void waitedFor() {
        pending.decrementAndGet();
    }

    void acquired() {
        active.incrementAndGet();
    }

    void released() {
        active.decrementAndGet();
    }

    void shookHands(boolean resumed) {
        (resumed ? resumedHandshakes : fullHandshakes).increment();
    }
}
