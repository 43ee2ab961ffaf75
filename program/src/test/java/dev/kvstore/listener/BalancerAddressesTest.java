package dev.kvstore.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class BalancerAddressesTest {
    private static InetSocketAddress at(String address) {
        return new InetSocketAddress(InetAddress.ofLiteral(address), 40_000);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            10.0.9.0/24               | 10.0.9.7      | true
            10.0.9.0/24               | 10.0.8.7      | false
            10.0.9.7                  | 10.0.9.7      | true
            10.0.9.7                  | 10.0.9.8      | false
            10.0.1.0/24, 10.0.9.0/24  | 10.0.9.7      | true
            fd00:9::/64               | fd00:9::1     | true
            [fd00:9::/64]             | fd00:9::1     | true
            fd00:9::/64               | fd00:8::1     | false
            ::/0                      | 10.0.9.7      | false
            0.0.0.0/0                 | fd00:9::1     | false
            none                      | 10.0.9.7      | false
            """)
    void anAddressIsOneOfThoseThatAreNamedOrOfANetwork(String named, String address, boolean expected) {
        assertThat(BalancerAddresses.of(named).have(at(address))).isEqualTo(expected);
    }

    @Test
    void anAddressOfIpv4ThatCameOverIpv6IsTheSame() throws UnknownHostException {
        byte[] mapped = new byte[16];
        mapped[10] = (byte) 0xff;
        mapped[11] = (byte) 0xff;
        mapped[12] = 10;
        mapped[14] = 9;
        mapped[15] = 7;
        InetAddress address = Inet6Address.getByAddress(null, mapped, -1);

        assertThat(BalancerAddresses.of("10.0.9.0/24").have(new InetSocketAddress(address, 1)))
                .isTrue();
    }

    @Test
    void anAddressOfALinkIsTheSameOnEachNetworkCard() throws UnknownHostException {
        InetAddress address =
                Inet6Address.getByAddress(null, InetAddress.ofLiteral("fe80::1").getAddress(), 7);

        assertThat(BalancerAddresses.of("fe80::/10").have(new InetSocketAddress(address, 1)))
                .isTrue();
    }

    @Test
    void whatHasNoAddressIsNone() {
        assertThat(BalancerAddresses.of("0.0.0.0/0").have(null)).isFalse();
        assertThat(BalancerAddresses.of("0.0.0.0/0").have(InetSocketAddress.createUnresolved("balancer", 1)))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*",
                "balancer",
                "10.0.0.0/33",
                "10.0.0.1,",
                "10.0.0.1 10.0.0.2",
                "fd00::/129",
                "none,10.0.0.1"
            })
    void whatIsNeitherAddressNorNetworkIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BalancerAddresses.of(text))
                .withMessage(BalancerAddresses.SHAPE);
    }
}
