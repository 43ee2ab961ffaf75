package dev.kvstore.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.launcher.Home;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code deploy/machine/kv-cards}, on a network of its own with two cards in one subnet. */
class NetworkCardsIT {
    private static final Path SCRIPT = Home.current().path().resolve("deploy/machine/kv-cards");

    private static final String CARDS = """
            set -e
            ip link set lo up
            for i in 1 2; do
              ip link add card$i type veth peer name far$i
              ip addr add 10.64.0.$((3 + i))/20 dev card$i
              ip link set card$i up
              ip link set far$i up
            done
            ip route add default via 10.64.0.1 dev card1
            """;

    @TempDir
    Path folder;

    @Test
    void packetsLeaveByTheCardWhoseAddressTheyBear() throws Exception {
        String before = inNetwork(CARDS + way("10.64.0.5", "203.0.113.9") + way("10.64.0.5", "10.64.9.9"));
        String after = inNetwork(CARDS + SCRIPT + " card1 card2\n" + way("10.64.0.5", "203.0.113.9")
                + way("10.64.0.5", "10.64.9.9") + way("10.64.0.4", "203.0.113.9"));

        assertThat(before.lines()).as("without it all leave by the first").allMatch(line -> line.contains("dev card1"));
        assertThat(after.lines().map(line -> line.replaceAll(".*dev (\\S+).*", "$1")))
                .containsExactly("card2", "card2", "card1");
    }

    @Test
    void aSecondRunChangesNothing() throws Exception {
        String rules = "ip -4 rule show; ip -4 route show table all\n";

        String once = inNetwork(CARDS + SCRIPT + " card1 card2\n" + rules);
        String twice = inNetwork(CARDS + SCRIPT + " card1 card2\n" + SCRIPT + " card1 card2\n" + rules);

        assertThat(twice).isEqualTo(once).contains("from 10.64.0.5 lookup 1002");
    }

    private static String way(String from, String to) {
        return "ip -4 -o route get " + to + " from " + from + "\n";
    }

    private String inNetwork(String commands) throws Exception {
        Container.requireRoot();
        assumeTrue(GoTool.isOnPath("ip"), "missing: ip, of the package iproute2");
        Path script = Files.writeString(Files.createTempFile(folder, "cards", ".sh"), commands);
        return GoTool.run(folder, Map.of(), List.of("unshare", "--net", "sh", script.toString()));
    }
}
