package dev.kvstore.launcher.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LayoutTest {
    @Test
    void seatsAreNumberedThroughAllClustersOfAllRegions() {
        Layout layout = new Layout(
                List.of(
                        new Layout.Region("a", List.of(new Layout.Cluster("a1", 2), new Layout.Cluster("a2", 1))),
                        new Layout.Region("b", List.of(new Layout.Cluster("b1", 1)))),
                Duration.ofMillis(10));

        assertThat(layout.seats())
                .containsExactly(
                        new Layout.Seat(0, "a", "a1"),
                        new Layout.Seat(1, "a", "a1"),
                        new Layout.Seat(2, "a", "a2"),
                        new Layout.Seat(3, "b", "b1"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 7, -1})
    void refusesRegionsThatCannotBe(int regions) {
        assertThatThrownBy(() -> Layout.of(regions, 1, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--regions: must be 1 to 6");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 33})
    void refusesDataPlanesThatCannotBe(int each) {
        assertThatThrownBy(() -> Layout.of(2, each, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--data-planes: must be 1 to 64");
    }
}
