package dev.kvstore.launcher.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyTest {
    @Test
    void seatsAreNumberedThroughAllClustersOfAllRegions() {
        Topology topology = new Topology(
                List.of(
                        new Topology.Region("a", List.of(new Topology.Cluster("a1", 2), new Topology.Cluster("a2", 1))),
                        new Topology.Region("b", List.of(new Topology.Cluster("b1", 1)))),
                Duration.ofMillis(10));

        assertThat(topology.seats())
                .containsExactly(
                        new Topology.Seat(0, "a", "a1"),
                        new Topology.Seat(1, "a", "a1"),
                        new Topology.Seat(2, "a", "a2"),
                        new Topology.Seat(3, "b", "b1"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5, -1})
    void refusesRegionsThatCannotBe(int regions) {
        assertThatThrownBy(() -> Topology.of(regions, 1, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--regions: must be 1 to 4");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 33})
    void refusesDataPlanesThatCannotBe(int each) {
        assertThatThrownBy(() -> Topology.of(2, each, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--data-planes: must be 1 to 64");
    }
}
