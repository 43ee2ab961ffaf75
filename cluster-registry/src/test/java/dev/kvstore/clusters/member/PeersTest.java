package dev.kvstore.clusters.member;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

/** The version by which members know whether their peers have changed. */
class PeersTest {
    private static final Peers.Peer ONE = new Peers.Peer("p", "i", "a:1", "t");

    private static String version(Peers.Peer... peers) {
        return Peers.of(List.of(peers)).version();
    }

    @Test
    void theSamePeersHaveTheSameVersion() {
        assertThat(version(ONE))
                .isEqualTo(version(new Peers.Peer("p", "i", "a:1", "t")))
                .matches("[0-9a-f]{16}");
    }

    @Test
    void eachFieldOfAPeerIsInTheVersion() {
        assertThat(List.of(
                        version(),
                        version(ONE),
                        version(ONE, ONE),
                        version(new Peers.Peer("q", "i", "a:1", "t")),
                        version(new Peers.Peer("p", "j", "a:1", "t")),
                        version(new Peers.Peer("p", "i", "a:2", "t")),
                        version(new Peers.Peer("p", "i", "a:1", "u"))))
                .doesNotHaveDuplicates();
    }

    @Test
    void fieldsDoNotRunIntoEachOther() {
        assertThat(version(new Peers.Peer("pi", "", "a:1", "t")))
                .isNotEqualTo(version(new Peers.Peer("p", "i", "a:1", "t")));
        assertThat(version(new Peers.Peer("p", "i", "a:1t", ""))).isNotEqualTo(version(ONE));
    }

    @Property(tries = 200)
    void peersWithOneMoreHaveAnotherVersion(
            @ForAll @Size(max = 5) List<@AlphaChars @StringLength(min = 1, max = 4) String> names) {
        List<Peers.Peer> peers = new ArrayList<>(names.stream()
                .map(name -> new Peers.Peer(name, "i", "a:1", "t"))
                .toList());
        String before = Peers.of(peers).version();

        peers.add(ONE);

        assertThat(Peers.of(peers).version()).isNotEqualTo(before);
        assertThat(Peers.of(peers).all()).hasSize(names.size() + 1);
    }

    @Test
    void noTokenIsInTheTextOfAPeer() {
        assertThat(new Peers.Peer("p", "i", "a:1", "secret")).hasToString("p (i) at a:1");
    }
}
