package dev.kvstore.protocol.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostPatternTest {
    @ParameterizedTest
    @CsvSource({
        "*, evil.example.org, true",
        "kv.example.com, KV.example.com., true",
        "kv.example.com, a.kv.example.com, false",
        "*.kv.example.com, a.b.kv.example.com, true",
        "*.kv.example.com, kv.example.com, false",
        "*.kv.example.com, evilkv.example.com, false",
        "10.0.0.0/8, 10.255.0.1, true",
        "10.0.0.0/8, 11.0.0.1, false",
        "10.0.0.0/8, ten.example.com, false",
        "10.0.0.1, 10.0.0.1, true",
        // Not everybody reads these as the same address, or as one at all.
        "0.0.0.0/0, 10.1, false",
        "0.0.0.0/0, 010.0.0.1, false",
        "h, 0x7f000001, false",
        "[fd00::/8], [fd12::1], true",
        "[fd00::/8], fd12::1, false",
        "[::1], [0:0:0:0:0:0:0:1], true",
        "0.0.0.0/0, [fd00::1], false"
    })
    void takesWhatItMeansAndNothingElse(String pattern, String host, boolean taken) {
        assertThat(HostPattern.of(pattern).takes(host)).isEqualTo(taken);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*.",
                "**",
                "*kv",
                "a.*.b",
                "10.0.0.0/33",
                "10.0.0.0/",
                "10.1",
                "1.2.3.4.5",
                "256.0.0.1",
                "[fd00::",
                "fd00::1",
                "[h]",
                "h/8",
                "h h",
                "-h",
                "h..g",
                "*.1",
                "[fd00::/129]"
            })
    void whatIsNoneIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HostPattern.of(text))
                .withMessage(HostPattern.SHAPE);
    }
}
