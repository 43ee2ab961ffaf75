package dev.kvstore.launcher.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StackLayoutTest {
    @Test
    void seatsAreNumberedThroughAllClustersOfAllRegions() {
        StackLayout layout = new StackLayout(
                List.of(
                        new StackLayout.Region(
                                "a", List.of(new StackLayout.Cluster("a1", 2), new StackLayout.Cluster("a2", 1))),
                        new StackLayout.Region("b", List.of(new StackLayout.Cluster("b1", 1)))),
                Duration.ofMillis(10));

        assertThat(layout.seats())
                .containsExactly(
                        new StackLayout.Seat(0, "a", "a1"),
                        new StackLayout.Seat(1, "a", "a1"),
                        new StackLayout.Seat(2, "a", "a2"),
                        new StackLayout.Seat(3, "b", "b1"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, -1})
    void refusesRegionsThatCannotBe(int regions) {
        assertThatThrownBy(() -> StackLayout.of(regions, 1, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--regions: must be 1 to 6");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 33})
    void refusesDataPlanesThatCannotBe(int each) {
        assertThatThrownBy(() -> StackLayout.of(2, each, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--data-planes: must be 1 to 64");
    }
}
