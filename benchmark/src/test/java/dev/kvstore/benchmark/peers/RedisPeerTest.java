package dev.kvstore.benchmark.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvstore.benchmark.peers.load.Damage;
import dev.kvstore.benchmark.peers.load.LettuceLoad;
import dev.kvstore.benchmark.peers.load.PeerOperation;
import dev.kvstore.benchmark.peers.load.WorkingSet;
import dev.kvstore.launcher.LaunchException;
import java.io.Closeable;
import org.junit.jupiter.api.Test;

/** The command line and the output of redis-benchmark. */
class RedisPeerTest {
    @Test
    void asksForTheBlocksOneAtATimeOnEachConnection() throws Exception {
        WorkingSet set = WorkingSet.of(1_200_000, Damage.NONE);
        LettuceLoad blocks = new LettuceLoad(set, 6379);
        try (Closeable _ = blocks::close) {
            RedisPeer peer = new RedisPeer(set, "/usr/bin/redis-benchmark", 1, 6379, blocks);

            assertThat(String.join(" ", peer.command(PeerOperation.GET, 20, 1_000)))
                    .isEqualTo(
                            "/usr/bin/redis-benchmark -h 127.0.0.1 -p 6379 -t get -c 20 -n 1000 -d 1200000 -r 128 -P 1"
                                    + " --dbnum 0 --csv");
        }
    }

    @Test
    void readsTheRateOfVersionsWithATitleLine() {
        String output = """
                "test","rps","avg_latency_ms","min_latency_ms","p50_latency_ms","p95_latency_ms","p99_latency_ms","max_latency_ms"
                "GET","1204.82","3.211","1.024","3.103","4.511","5.015","9.239"
                """;

        assertThat(RedisPeer.requestsPerSecond(PeerOperation.GET, output)).isEqualTo(1204.82);
    }

    @Test
    void readsTheRateOfOlderVersionsToo() {
        assertThat(RedisPeer.requestsPerSecond(PeerOperation.SET, "\"SET\",\"98039.22\"\n"))
                .isEqualTo(98_039.22);
    }

    @Test
    void repeatsWhatItDoesNotUnderstand() {
        assertThatThrownBy(() -> RedisPeer.requestsPerSecond(PeerOperation.GET, "Could not connect to Redis\n"))
                .isInstanceOf(LaunchException.class)
                .hasMessage("redis-benchmark does not say how fast it was: Could not connect to Redis");
    }
}
