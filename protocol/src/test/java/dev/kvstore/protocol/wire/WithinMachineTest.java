package dev.kvstore.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WithinMachineTest {
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1, true",
        "127.0.0.1, 127.0.0.53, true",
        "::1, ::1, true",
        "10.1.2.3, 10.1.2.3, true",
        "10.1.2.3, 10.1.2.4, false",
        "2001:db8::1, 2001:db8::2, false"
    })
    void theAddressesTell(String here, String there, boolean within) throws UnknownHostException {
        assertThat(WithinMachine.is(address(here), address(there))).isEqualTo(within);
    }

    @Test
    void whatHasNoAddressIsLeftAlone() throws UnknownHostException {
        assertThat(WithinMachine.is(null, address("127.0.0.1"))).isFalse();
        assertThat(WithinMachine.is(address("127.0.0.1"), null)).isFalse();
        assertThat(WithinMachine.is(address("127.0.0.1"), InetSocketAddress.createUnresolved("elsewhere", 1)))
                .isFalse();
        UnixDomainSocketAddress file = UnixDomainSocketAddress.of("socket");
        assertThat(WithinMachine.is(file, file)).isFalse();
    }

    @Test
    void anAddressOfTheMachineIsItsOwn() throws UnknownHostException {
        assertThat(WithinMachine.has(InetAddress.getByName("127.0.0.9"))).isTrue();
        assertThat(WithinMachine.has(InetAddress.getByName("192.0.2.1")))
                .as("an address for documentation")
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"bbr, true", "bbr3, true", "cubic, false", "reno, false", "'', false", "bbr-with-a-long-name, false"})
    void bbrPaces(String name, boolean paces, @TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("tcp_congestion_control"), name + "\n");

        assertThat(WithinMachine.pacing(file)).isEqualTo(paces ? Optional.of(name) : Optional.empty());
    }

    @Test
    void aSystemThatDoesNotTellIsLeftAlone(@TempDir Path folder) {
        assertThat(WithinMachine.pacing(folder.resolve("missing"))).isEmpty();
    }

    @Test
    void aNameIsFollowedByZeros() {
        ByteBuffer name = WithinMachine.congestionControl("bbr");

        assertThat(name.remaining()).isEqualTo(WithinMachine.NAME_BYTES);
        assertThat(name.get(2)).isEqualTo((byte) 'r');
        assertThat(name.get(3)).isZero();
    }

    private static InetSocketAddress address(String host) throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByName(host), 1);
    }
}
