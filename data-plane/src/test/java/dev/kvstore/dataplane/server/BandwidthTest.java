package dev.kvstore.dataplane.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BandwidthTest {
    @TempDir
    private Path interfaces;

    private void add(String name, String state, String speed) throws IOException {
        Path folder = Files.createDirectories(interfaces.resolve(name));
        Files.writeString(folder.resolve("operstate"), state + "\n");
        Files.writeString(folder.resolve("speed"), speed + "\n");
    }

    @Test
    void theFastestInterfaceThatIsUpCounts() throws IOException {
        add("eth0", "up", "10000");
        add("eth1", "up", "25000");
        add("eth2", "down", "100000");
        add("veth", "up", "-1");

        assertThat(Bandwidth.ofMachine(interfaces)).isEqualTo(25_000_000_000L / 8);
    }

    @Test
    void whereNoneSaysItIsTakenForThatOfASmallMachine() throws IOException {
        add("lo", "unknown", "");
        Files.createDirectories(interfaces.resolve("bonding_masters"));

        assertThat(Bandwidth.ofMachine(interfaces)).isEqualTo(Bandwidth.UNKNOWN);
        assertThat(Bandwidth.ofMachine(interfaces.resolve("none"))).isEqualTo(Bandwidth.UNKNOWN);
    }
}
