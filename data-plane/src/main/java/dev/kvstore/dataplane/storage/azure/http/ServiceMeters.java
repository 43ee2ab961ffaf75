package dev.kvstore.dataplane.storage.azure.http;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Connections to the hosts of one service: gauge {@code kvstore.storage.connections} (tags service; state active, idle or
 * pending, the latter requests that wait for one), counters {@code kvstore.storage.connects} (tags service; outcome ok or
 * failed) and {@code kvstore.storage.tls.handshakes} (tags service; kind full or resumed). Thread-safe.
 */
final class ServiceMeters {
    /** Those of all services. The tag is a host without the account in front, so there are few; and never many. */
    static final class All {
        private static final int MOST_SERVICES = 20;
        private static final String OTHER = "other";

        private final MeterRegistry registry;
        private final Map<String, ServiceMeters> services = new ConcurrentHashMap<>();

        All(MeterRegistry registry) {
            this.registry = registry;
        }

        ServiceMeters of(Origin origin) {
            String service = service(origin.host());
            String tag = services.containsKey(service) || services.size() < MOST_SERVICES ? service : OTHER;
            return services.computeIfAbsent(tag, name -> new ServiceMeters(registry, name));
        }

        /** {@code blob.core.windows.net} of {@code account.blob.core.windows.net}; addresses and short names as they are. */
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
        gauge(registry, service, "active", active);
        gauge(registry, service, "pending", pending);
        Gauge.builder("kvstore.storage.connections", () -> Math.max(0, open.get() - active.get()))
                .tags("service", service, "state", "idle")
                .register(registry);
        String connects = "kvstore.storage.connects";
        this.connected = registry.counter(connects, "service", service, "outcome", "ok");
        this.unconnected = registry.counter(connects, "service", service, "outcome", "failed");
        String handshakes = "kvstore.storage.tls.handshakes";
        this.fullHandshakes = registry.counter(handshakes, "service", service, "kind", "full");
        this.resumedHandshakes = registry.counter(handshakes, "service", service, "kind", "resumed");
    }

    private static void gauge(MeterRegistry registry, String service, String state, AtomicInteger value) {
        Gauge.builder("kvstore.storage.connections", value, AtomicInteger::get)
                .tags("service", service, "state", state)
                .register(registry);
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
