package dev.kvstore.dataplane.server.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.settings.BadFlag;
import java.net.InetAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class ClusterFlagsTest {
    private static final String CONTROL_PLANE = "127.0.0.1:9090,control.example.test:9090";

    private static Map<String, String> settings(String host, String... arguments) throws Exception {
        ClusterFlags flags = new ClusterFlags(MachineAddress.THIS);
        new CommandLine(flags).parseArgs(arguments);
        return flags.settings(CONTROL_PLANE, host, InetAddress.getByName(host), 8085);
    }

    @Test
    void withoutAClusterNoneIsJoined() throws Exception {
        assertThat(settings("127.0.0.1")).isEmpty();
    }

    @Test
    void whoListensOnOneAddressIsReachedThere() throws Exception {
        assertThat(settings("127.0.0.1", "--cluster", "c"))
                .containsEntry("kvstore.cluster", "c")
                .containsEntry("kvstore.advertise", "127.0.0.1:8085")
                .doesNotContainKey("kvstore.advertise-remote");
        assertThat(settings("::1", "--cluster", "c")).containsEntry("kvstore.advertise", "[::1]:8085");
    }

    @Test
    void othersMayReachItElsewhere() throws Exception {
        assertThat(settings(
                        "0.0.0.0",
                        "--cluster",
                        "c",
                        "--advertise",
                        "p0.example.test:1",
                        "--advertise-remote",
                        "example.test:2"))
                .containsEntry("kvstore.advertise", "p0.example.test:1")
                .containsEntry("kvstore.advertise-remote", "example.test:2");
    }

    @ParameterizedTest
    @CsvSource({"0.0.0.0, 127.0.0.1:9090, 127.0.0.1:8085", "'::', [::1]:9090, [0:0:0:0:0:0:0:1]:8085"})
    void whoListensOnAllAddressesIsReachedWhereTheControlPlaneIsReachedFrom(
            String host, String replica, String expected) throws Exception {
        ClusterFlags flags = new ClusterFlags(MachineAddress.THIS);
        flags.cluster = "c";

        assertThat(flags.settings(replica, host, InetAddress.getByName(host), 8085))
                .containsEntry("kvstore.advertise", expected);
    }

    @Test
    void withoutARouteToTheControlPlaneTheAddressHasToBeGiven() {
        ClusterFlags flags = new ClusterFlags(MachineAddress.THIS);
        flags.cluster = "c";

        assertThatExceptionOfType(BadFlag.class)
                .isThrownBy(() ->
                        flags.settings("no-such-host.invalid:1", "0.0.0.0", InetAddress.getByName("0.0.0.0"), 8085))
                .withMessageStartingWith("--advertise: is missing, and the address of this machine towards"
                        + " --control-plane is not known (no-such-host.invalid")
                .withMessageEndingWith("give the address that others reach it at, HOST:PORT");
    }

    @Test
    void allMachinesMayBeToldTheSameAndEachIsReachedByItsName() throws Exception {
        String own = MachineAddress.THIS.hostName();

        assertThat(settings(
                        "0.0.0.0",
                        "--cluster=c",
                        "--advertise={hostname}.eu.example.test:8085",
                        "--advertise-remote={hostname}.example.test:9"))
                .containsEntry("kvstore.advertise", own + ".eu.example.test:8085")
                .containsEntry("kvstore.advertise-remote", own + ".example.test:9");
    }

    @Test
    void aClusterIsTheControlPlanes() {
        ClusterFlags flags = new ClusterFlags(MachineAddress.THIS);
        flags.cluster = "c";
        assertThatExceptionOfType(BadFlag.class)
                .isThrownBy(() -> flags.settings(null, "127.0.0.1", InetAddress.getLoopbackAddress(), 8085))
                .withMessage("--cluster: clusters are the control plane's; add --control-plane HOST:PORT");
    }

    @ParameterizedTest
    @CsvSource({
        "--cluster=C, '--cluster: must be 1 to 63 of a-z, 0-9 and -, not \"C\"'",
        "--advertise=a:1, '--advertise: is for the members of a cluster; add --cluster NAME'",
        "--advertise-remote=a:1, '--advertise-remote: is for the members of a cluster; add --cluster NAME'",
    })
    void aFlagThatCannotBeIsNamed(String argument, String flaw) {
        assertThatExceptionOfType(BadFlag.class)
                .isThrownBy(() -> settings("127.0.0.1", argument))
                .withMessage(flaw);
    }

    @ParameterizedTest
    @CsvSource({"a", "a:0", "a:65536", "'a:1,b:2'", "https://a:1"})
    void anAddressIsOneHostAndPort(String address) {
        assertThatExceptionOfType(BadFlag.class)
                .isThrownBy(() -> settings("127.0.0.1", "--cluster", "c", "--advertise", address))
                .withMessage("--advertise: must be one HOST:PORT, not \"" + address + "\"");
    }
}
