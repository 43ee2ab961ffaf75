package dev.kvstore.dataplane.account.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ControlPlaneReplicaTest {
    @Test
    void severalAreJoinedByCommas() {
        assertThat(ControlPlaneReplica.all("cp-1.example.org:9090, 10.0.0.1:1,[::1]:65535"))
                .containsExactly(
                        new ControlPlaneReplica("cp-1.example.org", 9090),
                        new ControlPlaneReplica("10.0.0.1", 1),
                        new ControlPlaneReplica("[::1]", 65535));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a:", ":1", "a:0", "a:65536", "a:1,", "a:1;b:2", "::1:9090", "http://a:1"})
    void whatIsNoHostAndPortIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ControlPlaneReplica.all(text))
                .withMessageContaining("HOST:PORT");
    }

    @Test
    void anUnderscoreIsSaidToBeTheReason() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ControlPlaneReplica.all("10.0.0.1:9090,control_plane:9090"))
                .withMessageContaining("no _: call it control-plane:9090");
    }

    @ParameterizedTest
    @CsvSource({
        "localhost, true",
        "127.0.0.1, true",
        "127.1.2.3, true",
        "[::1], true",
        "127.0.0.1.example.org, false",
        "localhost.example.org, false",
        "10.0.0.1, false"
    })
    void loopbackIsWhatIsWrittenSo(String host, boolean loopback) {
        assertThat(new ControlPlaneReplica(host, 1).isLoopback()).isEqualTo(loopback);
    }
}
