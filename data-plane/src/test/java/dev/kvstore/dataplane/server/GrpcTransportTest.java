package dev.kvstore.dataplane.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.client.TransportOptions;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits that the gRPC listener sets its clients. */
final class GrpcTransportTest {
    @ParameterizedTest
    @ValueSource(strings = {"PT1S", "PT10S", "PT1M", "P1D"})
    void clientsMayPingAsOftenAsTheSdkDoesHoweverSeldomThisProcessPings(String keepaliveInterval) {
        assertThat(GrpcTransport.clientPingsMillis(Duration.parse(keepaliveInterval)))
                .isBetween(1L, TransportOptions.DEFAULT.keepAlive().toMillis() / 2);
    }
}
