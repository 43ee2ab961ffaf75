package dev.kvstore.launcher.numa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ListenersTest {
    @Test
    void portsFollowThoseOfTheFirst() throws Exception {
        Listeners listeners = listeners("127.0.0.1", 8085, 2);

        assertThat(listeners.flags(0))
                .containsExactly(
                        "--host", "127.0.0.1", "--http-host", "127.0.0.1", "--port", "8085", "--http-port", "9085");
        assertThat(listeners.flags(1))
                .containsExactly(
                        "--host", "127.0.0.1", "--http-host", "127.0.0.1", "--port", "8086", "--http-port", "9086");
        assertThat(listeners.endpoint(1)).isEqualTo("127.0.0.1:8086");
    }

    @Test
    void whoListensEverywhereIsReachedAtLoopback() throws Exception {
        assertThat(listeners("0.0.0.0", 8085, 1).reachable(0))
                .allSatisfy(address ->
                        assertThat(address.getAddress().isLoopbackAddress()).isTrue());
    }

    @Test
    void healthAndMetricsAreForThisMachineAloneUnlessAskedTo() throws Exception {
        assertThat(listeners("0.0.0.0", 8085, 1).http(0)).isEqualTo("127.0.0.1:9085");
        Listeners.Host everywhere = new Listeners.Host("0.0.0.0", InetAddress.getByName("0.0.0.0"));
        assertThat(new Listeners(List.of(everywhere), everywhere, 8085, (Integer) 9085, 1).http(0))
                .isEqualTo("0.0.0.0:9085");
    }

    @Test
    void anIpv6AddressStandsInBrackets() throws Exception {
        assertThat(listeners("::1", 8085, 1).http(0)).isEqualTo("[::1]:9085");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0     | 9000  | 2 | --port: must be 1 to 65534, not 0
            65535 | 9000  | 2 | --port: must be 1 to 65534, not 65535
            65535 |       | 1 | --http-port: must be 1 to 65535, not 66535
            8085  | 8086  | 2 | --http-port: 2 data planes use ports 8085 and on, and 8086 and on: they meet
            """)
    void portsThatCannotBeAreNamed(int port, Integer httpPort, int count, String message) {
        Listeners.Host host = new Listeners.Host("127.0.0.1", InetAddress.getLoopbackAddress());

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Listeners(List.of(host), null, port, httpPort, count))
                .withMessage(message);
    }

    @Test
    void aPortThatIsTakenIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket()) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = taken.getLocalPort();
            Listeners listeners = new Listeners(
                    List.of(new Listeners.Host("127.0.0.1", InetAddress.getLoopbackAddress())),
                    null,
                    port,
                    (Integer) 1_000,
                    1);

            assertThatIllegalArgumentException()
                    .isThrownBy(listeners::requireFree)
                    .withMessageStartingWith("--port: cannot listen on 127.0.0.1:" + port);
        }
    }

    @Test
    void eachDataPlaneMayListenOnANetworkCardOfItsOwn() throws Exception {
        Listeners listeners = listeners("127.0.0.1,127.0.0.2", 8085, 2);

        assertThat(listeners.endpoint(0)).isEqualTo("127.0.0.1:8085");
        assertThat(listeners.endpoint(1)).isEqualTo("127.0.0.2:8086");
        assertThat(listeners.flags(1)).startsWith("--host", "127.0.0.2");
        assertThat(listeners.reachable(1).getFirst()).isEqualTo(new InetSocketAddress("127.0.0.2", 8086));
    }

    @Test
    void addressesAreForAllDataPlanesOrThereIsOne() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> listeners("127.0.0.1,127.0.0.2", 8085, 3))
                .withMessage("--host: must be one address for all, or one for each of 3 data planes, not 2");
    }

    private static Listeners listeners(String hosts, int port, int count) throws Exception {
        List<Listeners.Host> all = new ArrayList<>();
        for (String host : hosts.split(",", -1)) {
            all.add(new Listeners.Host(host, InetAddress.getByName(host)));
        }
        return new Listeners(all, null, port, null, count);
    }
}
