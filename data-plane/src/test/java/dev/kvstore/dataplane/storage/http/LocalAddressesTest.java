package dev.kvstore.dataplane.storage.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LocalAddressesTest {
    @Test
    void areThoseNamed() {
        assertThat(LocalAddresses.of("127.0.0.1, 127.0.0.2"))
                .containsExactly(InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("127.0.0.2"));
    }

    @Test
    void areNoneUnlessAskedFor() {
        assertThat(LocalAddresses.of("")).isEmpty();
    }

    @Test
    void ofTheMachineAreThoseThatReachOthers() {
        assertThat(LocalAddresses.of(LocalAddresses.AUTO))
                .isNotEmpty()
                .noneMatch(InetAddress::isLoopbackAddress)
                .noneMatch(InetAddress::isLinkLocalAddress);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            192.0.2.1        | 192.0.2.1 is no address of this machine
            eth0             | "eth0" is no IP address
            127.0.0.1,       | "" is no IP address
            """)
    void whatIsNoneIsNamed(String value, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LocalAddresses.of(value))
                .withMessage(message);
    }
}
