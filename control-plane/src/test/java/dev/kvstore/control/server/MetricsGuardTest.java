package dev.kvstore.control.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.net.SocketAddress;
import org.junit.jupiter.api.Test;

class MetricsGuardTest {
    private static final SocketAddress HERE = SocketAddress.inetSocketAddress(40_000, "127.0.0.1");
    private static final SocketAddress ELSEWHERE = SocketAddress.inetSocketAddress(40_000, "192.0.2.1");

    @Test
    void metricsAreForThisMachine() {
        MetricsGuard guard = new MetricsGuard(false);

        assertThat(guard.allows("/q/metrics", HERE)).isTrue();
        assertThat(guard.allows("/q/metrics", ELSEWHERE)).isFalse();
        assertThat(guard.allows("/q/metrics/", ELSEWHERE)).isFalse();
        assertThat(guard.allows("/q/metrics/application", ELSEWHERE)).isFalse();
    }

    @Test
    void whatProbesAndAdminsAskForIsForAll() {
        MetricsGuard guard = new MetricsGuard(false);

        assertThat(guard.allows("/q/health/ready", ELSEWHERE)).isTrue();
        assertThat(guard.allows("/v1/accounts", ELSEWHERE)).isTrue();
    }

    @Test
    void anOperatorMayOpenThem() {
        assertThat(new MetricsGuard(true).allows("/q/metrics", ELSEWHERE)).isTrue();
    }
}
