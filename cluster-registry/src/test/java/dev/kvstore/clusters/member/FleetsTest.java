package dev.kvstore.clusters.member;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.FleetView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FleetsTest {
    private final Fleets fleets = new Fleets();
    private final List<Fleet> heard = new ArrayList<>();

    private Fleet read(long second) {
        Fleet fleet = new Fleet(Instant.ofEpochSecond(second), Set.of(), Map.of(), List.of());
        fleets.set(new FleetReader.FleetSnapshot(fleet, Map.of(), Set.of()));
        return fleet;
    }

    @Test
    void thereIsNoneBeforeTheFirstWasRead() {
        assertThat(fleets.now()).isEmpty();

        Fleet first = read(1);

        assertThat(fleets.now()).contains(first);
    }

    @Test
    void whoListensHearsOfThePresentOneAndOfAllAfterIt() {
        Fleet first = read(1);
        FleetView.Subscription subscription = fleets.onChange(heard::add);
        Fleet second = read(2);

        subscription.close();
        read(3);

        assertThat(heard).containsExactly(first, second);
    }

    @Test
    void aListenerThatFailsIsNoMatterToTheOthers() {
        var _ = fleets.onChange(_ -> {
            throw new IllegalStateException("of the test");
        });
        var _ = fleets.onChange(heard::add);

        Fleet read = read(1);

        assertThat(heard).containsExactly(read);
    }

    @Test
    void theVersionOfPeersIsThatOfWhatIsSaidOfThem() {
        Peers.Peer one = new Peers.Peer("p0", "i", "a:1", "t");
        Peers.Peer moved = new Peers.Peer("p0", "i", "a:2", "t");

        assertThat(Peers.of(List.of(one)).version())
                .isEqualTo(Peers.of(List.of(one)).version())
                .isNotEqualTo(Peers.of(List.of(moved)).version())
                .isNotEqualTo(Peers.of(List.of()).version());
    }
}
