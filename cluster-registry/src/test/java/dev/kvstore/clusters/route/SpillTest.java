package dev.kvstore.clusters.route;

import static dev.kvstore.clusters.route.TestFleets.GIGABYTE;
import static dev.kvstore.clusters.route.TestFleets.anywhere;
import static dev.kvstore.clusters.route.TestFleets.member;
import static dev.kvstore.clusters.route.TestFleets.route;
import static dev.kvstore.clusters.route.TestFleets.shares;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.kvstore.clusters.fleet.Fleet;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SpillTest {
    /** Two regions with a cluster each; of the first's processes some are well, the second's are idle. */
    private static Fleet fleet(int well, int gone) {
        return new TestFleets()
                .apart("east", "west", 60)
                .cluster("e", "east", well, gone)
                .cluster("w", "west", 10, 0)
                .build();
    }

    private static Fleet used(double home, double other) {
        return new TestFleets()
                .apart("east", "west", 60)
                .cluster("e", "east", List.of(member("e", 0, GIGABYTE, home)))
                .cluster("w", "west", List.of(member("w", 0, GIGABYTE, other)))
                .build();
    }

    private static Route from(Fleet fleet) {
        return route(fleet, anywhere("east"), "east");
    }

    @Test
    void aLevelKeepsItsWorkWhileFiveOfSevenAreWellAndNotWithOneLess() {
        // 1.4 x 50/70 = 1; 1.4 x 49/70 = 0.98
        assertThat(shares(from(fleet(50, 20)))).containsExactly(1000, 0);
        assertThat(shares(from(fleet(49, 21)))).containsExactly(980, 20);
    }

    @Test
    void aLevelWithNobodyWellIsLeftOutIfAnotherCanTakeItsWork() {
        Route route = from(fleet(0, 10));

        assertThat(route.levels()).extracting(Route.Level::region).containsExactly("west");
        assertThat(shares(route)).containsExactly(1000);
    }

    @Test
    void aLevelSpillsAboveFourFifthsOfUseAndNotBefore() {
        assertThat(shares(from(used(0.8, 0)))).containsExactly(1000, 0);
        assertThat(shares(from(used(0.801, 0)))).containsExactly(995, 5);
    }

    @Test
    void aLevelAtItsLimitGivesAwayNearlyAllThatOthersCanTake() {
        assertThat(shares(from(used(1, 0)))).containsExactly(50, 950);
    }

    @Test
    void levelsThatAreAllAtTheirLimitsShareWhatThereIs() {
        assertThat(shares(from(used(1, 1)))).containsExactly(500, 500);
    }

    @Test
    void panicBeginsBelowHalfAndNotAtHalf() {
        Fleet half = new TestFleets().cluster("e", "east", 50, 50).build();
        Fleet less = new TestFleets().cluster("e", "east", 49, 51).build();

        assertThat(from(half).levels().getFirst().panic()).isFalse();
        assertThat(from(half).levels().getFirst().targets()).hasSize(50);
        assertThat(from(less).levels().getFirst().panic()).isTrue();
        assertThat(from(less).levels().getFirst().targets()).hasSize(64);
        assertThat(shares(from(less))).containsExactly(1000);
    }

    @Test
    void thereIsNoPanicWhileAnotherAllowedLevelCanTakeTheWork() {
        assertThat(from(fleet(1, 9)).levels())
                .extracting(Route.Level::panic, level -> level.targets().size())
                .containsExactly(tuple(false, 1), tuple(false, 10));
    }

    @Test
    void whatAFullRegionCannotTakeGoesToTheLevelInPanic() {
        Fleet fleet = new TestFleets()
                .apart("east", "west", 60)
                .cluster("e", "east", 0, 4)
                .cluster("w", "west", List.of(member("w", 0, GIGABYTE, 0.9)))
                .build();

        Route route = from(fleet);

        assertThat(route.levels()).extracting(Route.Level::panic).containsExactly(true, false);
        assertThat(shares(route)).containsExactly(500, 500);
    }

    @Test
    void withNobodyWellAnywhereTheNearestAreTried() {
        Fleet fleet = new TestFleets()
                .apart("east", "west", 60)
                .cluster("e", "east", 0, 4)
                .cluster("w", "west", 0, 4)
                .build();

        assertThat(shares(from(fleet))).containsExactly(1000, 0);
        assertThat(from(fleet).levels()).allMatch(Route.Level::panic);
    }
}
