package dev.kvstore.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheus.PrometheusConfig;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import io.quarkus.runtime.StartupEvent;
import org.junit.jupiter.api.Test;

@SuppressWarnings("deprecation") // The registry that Quarkus uses.
final class LibraryMetricsTest {
    private final LibraryMetrics filter = new LibraryMetrics();
    private final PrometheusMeterRegistry registry = registry();

    private PrometheusMeterRegistry registry() {
        PrometheusMeterRegistry fresh = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        fresh.config().meterFilter(filter);
        return fresh;
    }

    @Test
    void theProcessIsMeasuredInBaseUnits() {
        new ProcessorMetrics().bindTo(registry);
        filter.register(new StartupEvent(), registry);

        assertThat(registry.scrape())
                .contains("# TYPE process_cpu_seconds_total counter", "# TYPE system_cpus gauge")
                .contains("# TYPE process_cpu_usage gauge")
                .doesNotContain("_ns_total", "system_cpu_count", "\"cpu");
    }

    @Test
    void metricsWithoutHelpOrUnitGetThem() {
        Gauge.builder("netty.allocator.memory.used", () -> 1)
                .tag("name", "pooled")
                .register(registry);

        assertThat(registry.scrape())
                .contains("# HELP netty_allocator_memory_used_bytes Memory that Netty")
                .contains("netty_allocator_memory_used_bytes{name=\"pooled\",} 1.0");
    }

    @Test
    void labelsAreInSnakeCase() {
        Counter.builder("grpc.server.calls").tag("statusCode", "OK").register(registry);

        assertThat(registry.scrape()).contains("grpc_server_calls_total{status_code=\"OK\",} 0.0");
    }

    @Test
    void longTaskTimersAreLeftOut() {
        LongTaskTimer.builder("http.server.connections").register(registry).start();

        assertThat(registry.scrape()).doesNotContain("http_server_connections");
    }
}
