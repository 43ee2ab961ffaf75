package dev.kvstore.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.prometheus.PrometheusConfig;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("deprecation") // The registry that Quarkus uses.
final class MetricTest {
    private static final String HELP = "Calls that somebody makes up.";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    @Test
    void prometheusSeesCountersByTheirNames() {
        Metric.counter("kvstore_storage_calls_total", HELP, "operation")
                .counter(registry, "get")
                .increment(2);
        Metric.counter("kvstore_storage_bytes_total", HELP).counter(registry, registry, _ -> 3);

        assertThat(registry.scrape())
                .contains("# HELP kvstore_storage_calls_total " + HELP)
                .contains("# TYPE kvstore_storage_calls_total counter")
                .contains("kvstore_storage_calls_total{operation=\"get\",} 2.0")
                .contains("\nkvstore_storage_bytes_total 3.0");
    }

    @Test
    void prometheusSeesGaugesByTheirNames() {
        Metric.gauge("kvstore_memory_used_bytes", HELP).gauge(registry, registry, _ -> 5);
        Metric rows = Metric.gauge("kvstore_warmings", HELP, "state");
        rows.rows(registry).register(List.of(MultiGauge.Row.of(rows.tags("running"), 7)));

        assertThat(registry.scrape())
                .contains("# HELP kvstore_memory_used_bytes " + HELP, "# TYPE kvstore_memory_used_bytes gauge")
                .contains("\nkvstore_memory_used_bytes 5.0", "kvstore_warmings{state=\"running\",} 7.0");
    }

    @Test
    void prometheusSeesHistogramsByTheirNames() {
        Metric.histogram("kvstore_call_duration_seconds", HELP, List.of(0.1, 1.0), "operation")
                .timer(registry, "get")
                .record(Duration.ofMillis(500));
        Metric.histogram("kvstore_checks_per_lookup", HELP, List.of(1.0, 2.0))
                .summary(registry)
                .record(2);

        assertThat(registry.scrape())
                .contains(
                        "# HELP kvstore_call_duration_seconds " + HELP,
                        "# TYPE kvstore_call_duration_seconds histogram")
                .contains("kvstore_call_duration_seconds_bucket{operation=\"get\",le=\"0.1\",} 0.0")
                .contains("kvstore_call_duration_seconds_bucket{operation=\"get\",le=\"1.0\",} 1.0")
                .contains("# TYPE kvstore_checks_per_lookup histogram", "kvstore_checks_per_lookup_sum 2.0");
    }

    @Test
    void everyLabelHasAValue() {
        Metric metric = Metric.counter("kvstore_calls_total", HELP, "operation", "outcome");

        assertThat(metric.tags("get", "ok")).isEqualTo(Tags.of("operation", "get", "outcome", "ok"));
        assertThatIllegalArgumentException().isThrownBy(() -> metric.tags("get"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "calls_total",
                "kvstore_calls",
                "kvstore_Calls_total",
                "kvstore_total_calls_total",
                "kvstore_call_time_ms_total",
                "kvstore_seconds_waited_total",
                "kvstore_calls_count_total",
                "kvstore_call_counter_total"
            })
    void noCounterIsCalled(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Metric.counter(name, HELP))
                .withMessageStartingWith(name + ": ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"kvstore_calls_total", "kvstore_memory_kb", "kvstore_used_bytes_memory", "kvstore__calls"})
    void noGaugeIsCalled(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> Metric.gauge(name, HELP));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Calls", "Calls that nobody has made yet", "Calls that are \"made\" by somebody."})
    void noHelpIs(String help) {
        assertThatIllegalArgumentException().isThrownBy(() -> Metric.gauge("kvstore_calls", help));
    }

    @ParameterizedTest
    @ValueSource(strings = {"le", "quantile", "job", "Kind", "call-kind", "1st"})
    void noLabelIsCalled(String label) {
        assertThatIllegalArgumentException().isThrownBy(() -> Metric.gauge("kvstore_calls", HELP, label));
    }

    @Test
    void theTableIsSortedByName() {
        Metric second = Metric.counter("kvstore_read_bytes_total", HELP, "kind", "reason");
        Metric first = Metric.gauge("kvstore_a", HELP);

        assertThat(MetricTable.markdown(List.of(second, first))).isEqualTo("""
                        | name | type | unit | labels | help |
                        |---|---|---|---|---|
                        | `kvstore_a` | gauge |  |  | Calls that somebody makes up. |
                        | `kvstore_read_bytes_total` | counter | bytes | `kind`, `reason` | Calls that somebody makes up. |
                        """);
    }
}
