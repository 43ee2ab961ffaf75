package dev.kvstore.clusters.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressPatternTest {
    @ParameterizedTest
    @CsvSource({
        "*, evil.example.org:443",
        "*:8085-8099, h:8085",
        "*:8085-8099, h:8099",
        "dp.kv.example.com, dp.kv.example.com:1",
        "dp.kv.example.com:8085, DP.KV.example.com.:8085",
        "*.kv.example.com, a.kv.example.com:8085",
        "*.kv.example.com, a.b.kv.example.com:8085",
        "10.0.0.1, 10.0.0.1:8085",
        "10.0.0.0/8:8085, 10.255.255.255:8085",
        "10.1.128.0/17, 10.1.128.0:1",
        "0.0.0.0/0, 1.2.3.4:65535",
        "[fd00::/8], [fd12:3456::1]:8085",
        "[fd00::1]:8085, [fd00:0:0:0::1]:8085",
        "127.0.0.0/8, 127.0.0.1:8085"
    })
    void takesWhatItMeans(String pattern, String address) {
        assertThat(AddressPattern.of(pattern).takes(address)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "*:8085-8099, h:8084",
        "*:8085-8099, h:8100",
        "*.kv.example.com, kv.example.com:8085",
        "*.kv.example.com, evilkv.example.com:8085",
        "*.kv.example.com, a.kv.example.com.evil.org:8085",
        "dp.kv.example.com, a.dp.kv.example.com:8085",
        "10.0.0.0/8, 11.0.0.1:8085",
        "10.1.128.0/17, 10.1.127.255:1",
        // Names are not looked up, and a number that some resolvers read as an address is neither.
        "10.0.0.0/8, ten.example.com:8085",
        "10.0.0.0/8, 10.1:8085",
        "0.0.0.0/0, 010.0.0.1:8085",
        "h, 0x7f000001:8085",
        "[fd00::/8], 10.0.0.1:8085",
        "0.0.0.0/0, [fd00::1]:8085",
        "*.example.com, [fd00::1]:8085"
    })
    void takesNothingElse(String pattern, String address) {
        assertThat(AddressPattern.of(pattern).takes(address)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                ":8085",
                "h:",
                "h:0",
                "h:65536",
                "h:2-1",
                "h:1-",
                "10.0.0.0/33",
                "10.0.0.0/",
                "10.0.0/8",
                "256.0.0.0/8",
                "010.0.0.0/8",
                "10.1",
                "h/8",
                "[fd00::/129]",
                "[fd00::",
                "[h]",
                "**",
                "*kv.com",
                "a.*.com",
                "*.*.com",
                "h h",
                "h:8085,g:8085",
                "-h"
            })
    void whatIsNoneIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AddressPattern.of(text))
                .withMessage(AddressPattern.SHAPE);
    }

    @Property
    void aNetworkTakesTheAddressesThatBeginAsItDoes(
            @ForAll int network, @ForAll int address, @ForAll @IntRange(max = 32) int bits) {
        AddressPattern pattern = AddressPattern.of(text(network) + "/" + bits);

        boolean same = bits == 0 || network >>> (32 - bits) == address >>> (32 - bits);
        assertThat(pattern.takes(text(address) + ":8085")).isEqualTo(same);
    }

    private static String text(int address) {
        return (address >>> 24) + "." + (address >>> 16 & 255) + "." + (address >>> 8 & 255) + "." + (address & 255);
    }

    @Property(tries = 20)
    void whereThereIsNoneEveryAddressIsTaken(@ForAll int address) {
        assertThat(AddressPattern.anyTakes(List.of(), text(address) + ":1")).isTrue();
    }
}
