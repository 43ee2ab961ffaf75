package dev.kvstore.launcher.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class MetricsTest {
    private final Metrics metrics = Metrics.parse("""
            # HELP kvstore_storage_calls_total Calls
            # TYPE kvstore_storage_calls_total counter
            kvstore_storage_calls_total{operation="get",account="a, \\"b\\""} 3.0
            kvstore_storage_calls_total{operation="get",account="c"} 4.0
            kvstore_storage_calls_total{operation="put_if_absent",account="c"} 1.5E1
            jvm_threads 12
            jvm_memory_max_bytes{area="heap"} +Inf
            """);

    @Test
    void addsUpOverAllLabels() {
        assertThat(metrics.sum("kvstore_storage_calls_total")).isEqualTo(22);
    }

    @Test
    void addsUpByOneLabel() {
        assertThat(metrics.sumsBy("kvstore_storage_calls_total", "operation"))
                .isEqualTo(Map.of("get", 7.0, "put_if_absent", 15.0));
    }

    @Test
    void knowsNamesWithoutLabels() {
        assertThat(metrics.sum("jvm_threads")).isEqualTo(12);
    }

    @Test
    void readsInfinity() {
        assertThat(metrics.sum("jvm_memory_max_bytes")).isInfinite();
    }

    @Test
    void isZeroForWhatWasNeverCounted() {
        assertThat(metrics.sum("unknown_total")).isZero();
    }
}
