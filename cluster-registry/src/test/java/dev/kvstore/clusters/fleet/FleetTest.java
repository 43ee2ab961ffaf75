package dev.kvstore.clusters.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

/** How far regions are apart, and that a fleet does not change once it was read. */
class FleetTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static Fleet fleet(Map<Fleet.RegionPair, Duration> trips) {
        return new Fleet(NOW, Set.of("east", "west", "north"), trips, List.of());
    }

    @Test
    void theDistanceIsTheSameFromBothSides() {
        Fleet fleet = fleet(Map.of(Fleet.RegionPair.of("west", "east"), Duration.ofMillis(80)));

        assertThat(fleet.roundTrip("east", "west")).contains(Duration.ofMillis(80));
        assertThat(fleet.roundTrip("west", "east")).contains(Duration.ofMillis(80));
    }

    @Test
    void aRegionIsNoDistanceFromItselfAndAnUnknownOneFromOthers() {
        Fleet fleet = fleet(Map.of());

        assertThat(fleet.roundTrip("east", "east")).contains(Duration.ZERO);
        assertThat(fleet.roundTrip("east", "north")).isEmpty();
        assertThat(fleet.roundTrip("never", "never")).contains(Duration.ZERO);
    }

    @Property(tries = 200)
    void aPairIsTheSameInEitherOrder(
            @ForAll @AlphaChars @StringLength(max = 6) String one,
            @ForAll @AlphaChars @StringLength(max = 6) String other) {
        Fleet.RegionPair pair = Fleet.RegionPair.of(one, other);

        assertThat(pair).isEqualTo(Fleet.RegionPair.of(other, one));
        assertThat(pair.one()).isLessThanOrEqualTo(pair.other());
        assertThat(List.of(pair.one(), pair.other())).containsExactlyInAnyOrder(one, other);
    }

    @Test
    void aFleetDoesNotChangeWithTheListItWasMadeOf() {
        List<FleetCluster> clusters = new ArrayList<>();
        Fleet fleet = new Fleet(NOW, Set.of(), Map.of(), clusters);

        clusters.add(new FleetCluster("a", "east", dev.kvstore.clusters.cluster.ClusterState.ACTIVE, null, List.of()));

        assertThat(fleet.clusters()).isEmpty();
        assertThatThrownBy(() -> fleet.regions().add("south")).isInstanceOf(UnsupportedOperationException.class);
    }
}
