package dev.kvstore.clusters.address;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses of data planes. */
class AddressTest {
    @ParameterizedTest
    @ValueSource(strings = {"a:1", "10.0.0.1:8085", "n-1.kv.example.com:65535", "[::1]:1", "[fd00::1.2.3.4]:80", "0:1"})
    void aHostAndAPortAreAnAddress(String text) {
        assertThat(Address.isOne(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":1",
                "a",
                "a:",
                "a:0",
                "a:01",
                "a:65536",
                "a:123456",
                "a:b",
                "-a:1",
                ".a:1",
                "a_b:1",
                "a b:1",
                "a:1 ",
                "https://a:1",
                "a:1,b:1",
                "::1:1",
                "[::1]",
                "[]:1",
                "[g::]:1",
                "a:1\n"
            })
    void nothingElseIs(String text) {
        assertThat(Address.isOne(text)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"kv.example.com, true", "10.0.0.1, true", "[::1], true", "::1, false", "a:1, false", "'', false"})
    void aHostAloneIsAHost(String text, boolean host) {
        assertThat(Address.isHost(text)).isEqualTo(host);
    }

    @ParameterizedTest
    @CsvSource({
        "balancer.example.com:443, 10.0.0.1:8085, balancer.example.com:443",
        "balancer.example.com, 10.0.0.1:8085, balancer.example.com:8085",
        "[fd00::1], [fd00::2]:8085, [fd00::1]:8085",
        "[fd00::1]:443, [fd00::2]:8085, [fd00::1]:443"
    })
    void anAdvertisedHostHasTheProcessOwnPort(String advertised, String own, String told) {
        assertThat(Address.advertised(advertised, own)).isEqualTo(told);
    }

    @Property(tries = 200)
    void everyPortButZeroIsAPort(@ForAll @IntRange(min = -5, max = 70_000) int port) {
        assertThat(Address.isOne("a:" + port)).isEqualTo(port >= 1 && port <= 65_535);
    }
}
