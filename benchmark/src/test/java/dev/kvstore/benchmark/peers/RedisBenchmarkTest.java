package dev.kvstore.benchmark.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.launcher.LaunchException;
import org.junit.jupiter.api.Test;

/** The command line and the output of redis-benchmark. */
class RedisBenchmarkTest {
    private final RedisBenchmark benchmark = new RedisBenchmark("/usr/bin/redis-benchmark", 6379, 128, 1_200_000);

    @Test
    void asksForTheBlocksOneAtATimeOnEachConnection() {
        assertThat(String.join(" ", benchmark.command("GET", 0, 20, 1_000)))
                .isEqualTo("/usr/bin/redis-benchmark -h 127.0.0.1 -p 6379 -t get -c 20 -n 1000 -d 1200000 -r 128 -P 1"
                        + " --dbnum 0 --csv");
    }

    @Test
    void readsTheRateOfVersionsWithATitleLine() {
        String output = """
                "test","rps","avg_latency_ms","min_latency_ms","p50_latency_ms","p95_latency_ms","p99_latency_ms","max_latency_ms"
                "GET","1204.82","3.211","1.024","3.103","4.511","5.015","9.239"
                """;

        assertThat(RedisBenchmark.requestsPerSecond("GET", output)).isEqualTo(1204.82);
    }

    @Test
    void readsTheRateOfOlderVersionsToo() {
        assertThat(RedisBenchmark.requestsPerSecond("SET", "\"SET\",\"98039.22\"\n"))
                .isEqualTo(98_039.22);
    }

    @Test
    void repeatsWhatItDoesNotUnderstand() {
        assertThatThrownBy(() -> RedisBenchmark.requestsPerSecond("GET", "Could not connect to Redis\n"))
                .isInstanceOf(LaunchException.class)
                .hasMessage("redis-benchmark does not say how fast it was: Could not connect to Redis");
    }
}
