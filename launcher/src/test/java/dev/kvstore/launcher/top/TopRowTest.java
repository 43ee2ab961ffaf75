package dev.kvstore.launcher.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.launcher.stack.Metrics;
import org.junit.jupiter.api.Test;

class TopRowTest {
    private static final Metrics EARLIER = Metrics.parse("""
            kvstore_call_duration_seconds_count{method="lookup"} 100
            kvstore_call_duration_seconds_count{method="read"} 50
            kvstore_call_duration_seconds_bucket{method="lookup",le="0.001"} 100
            kvstore_call_duration_seconds_bucket{method="lookup",le="0.1"} 100
            kvstore_call_duration_seconds_bucket{method="lookup",le="+Inf"} 100
            kvstore_memory_tier_hits_total 10
            kvstore_memory_tier_misses_total 10
            kvstore_memory_tier_used_bytes 0
            kvstore_memory_tier_limit_bytes 400
            kvstore_storage_bytes_total{direction="read"} 0
            kvstore_storage_bytes_total{direction="written"} 5e9
            kvstore_storage_errors_total{operation="get",error="forbidden"} 1
            """);

    private static final Metrics LATER = Metrics.parse("""
            kvstore_call_duration_seconds_count{method="lookup"} 300
            kvstore_call_duration_seconds_count{method="lookup_all"} 20
            kvstore_call_duration_seconds_count{method="read"} 90
            kvstore_call_duration_seconds_bucket{method="lookup",le="0.001"} 290
            kvstore_call_duration_seconds_bucket{method="lookup",le="0.1"} 300
            kvstore_call_duration_seconds_bucket{method="lookup",le="+Inf"} 300
            kvstore_memory_tier_hits_total 40
            kvstore_memory_tier_misses_total 20
            kvstore_memory_tier_used_bytes 100
            kvstore_memory_tier_limit_bytes 400
            kvstore_storage_bytes_total{direction="read"} 1e9
            kvstore_storage_bytes_total{direction="written"} 9e9
            kvstore_storage_errors_total{operation="get",error="forbidden"} 5
            """);

    @Test
    void countsWhatHappenedBetweenTheReadings() {
        TopRow row = TopRow.between("a", EARLIER, LATER, 2);

        assertThat(row.lookups()).isEqualTo(110);
        assertThat(row.hits()).isEqualTo(0.75);
        assertThat(row.fromStorage()).isEqualTo(0.5e9);
        assertThat(row.toStorage()).isEqualTo(2e9);
        assertThat(row.memory()).isEqualTo(0.25);
        assertThat(row.errors()).isEqualTo(2);
    }

    @Test
    void theSlowestHundredthIsBehindTheP99() {
        assertThat(TopRow.between("a", EARLIER, LATER, 2).p99()).isEqualTo(0.1);
    }

    @Test
    void whatDidNotHappenIsADash() {
        assertThat(TopRow.between("a", LATER, LATER, 1).line()).matches("a +0 +- +0\\.000 +0\\.000 +25% +- +0\\.0 +-");
    }

    @Test
    void aProcessThatBeganAnewHasNoNegativeRates() {
        assertThat(TopRow.between("a", LATER, EARLIER, 1).lookups()).isZero();
    }
}
