package dev.kvstore.client.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.client.RoutedOptions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoutedHostsTest {
    private static boolean mayBe(RoutedHosts hosts, String address) {
        return hosts.mayBe("c/p", EndpointAddress.parse(address));
    }

    @ParameterizedTest
    @CsvSource({
        "control.kv.example.com:9090, dp.kv.example.com:8085, true",
        "control.kv.example.com:9090, control.kv.example.com:8085, true",
        "control.kv.example.com:9090, dp.evil.example.org:8085, false",
        "control.kv.example.com:9090, dp.example.com:8085, false",
        "control.kv.example.com:9090, 10.1.2.3:8085, true",
        "control.kv.example.com:9090, 20.1.2.3:8085, false",
        "control.kv.example.com:9090, [fd00::1]:8085, true",
        "control.kv.example.com:9090, [2001:db8::1]:8085, false",
        // All names of a top level are nobody's domain.
        "control.com:9090, evil.com:8085, false",
        "control:9090, dp-1:8085, true",
        "control:9090, dp.evil.example.org:8085, false",
        "20.1.2.3:9090, 20.1.2.3:8085, true",
        "20.1.2.3:9090, 20.1.2.4:8085, false",
        "127.0.0.1:9090, localhost:8085, true",
        "010.0.0.1:9090, 20.1.2.4:8085, false",
        "[2001:db8::1]:9090, [2001:db8::2]:8085, false"
    })
    void withoutAnythingSaidTheyAreNearTheControlPlaneOrPrivate(String control, String process, boolean taken) {
        assertThat(mayBe(RoutedHosts.of(RoutedOptions.of(List.of(control), List.of(), null)), process))
                .isEqualTo(taken);
    }

    @Test
    void whatIsSaidCountsAlone() {
        RoutedHosts hosts = RoutedHosts.of(RoutedOptions.of(
                List.of("control.kv.example.com:9090"), List.of("*.dp.example.com", "10.0.0.0/8"), null));

        assertThat(mayBe(hosts, "a.dp.example.com:8085")).isTrue();
        assertThat(mayBe(hosts, "10.0.0.1:8085")).isTrue();
        assertThat(mayBe(hosts, "dp.kv.example.com:8085")).isFalse();
        assertThat(mayBe(hosts, "127.0.0.1:8085")).isFalse();
        assertThat(mayBe(hosts, "dp-1:8085")).isFalse();
    }

    @Test
    void whoShowsACertificateOfTheNamedAuthorityMayBeAnywhereUnlessHostsAreNamed() {
        Path authority = Path.of("authority.pem");
        List<String> control = List.of("control.kv.example.com:9090");

        assertThat(mayBe(RoutedHosts.of(RoutedOptions.of(control, List.of(), authority)), "20.1.2.3:8085"))
                .isTrue();
        assertThat(mayBe(RoutedHosts.of(RoutedOptions.of(control, List.of("10.0.0.1"), authority)), "20.1.2.3:8085"))
                .isFalse();
    }
}
