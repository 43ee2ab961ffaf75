package dev.kvstore.clusters.route;

import static dev.kvstore.clusters.route.TestFleets.GIGABYTE;
import static dev.kvstore.clusters.route.TestFleets.NOW;
import static dev.kvstore.clusters.route.TestFleets.anywhere;
import static dev.kvstore.clusters.route.TestFleets.member;
import static dev.kvstore.clusters.route.TestFleets.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.clusters.fleet.Capacity;
import dev.kvstore.clusters.fleet.ClusterMember;
import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.Load;
import dev.kvstore.clusters.fleet.Rules;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class WeightsTest {
    private static List<Integer> weights(Fleet fleet) {
        return route(fleet, anywhere("east"), "east").levels().getFirst().targets().stream()
                .map(Route.Target::weight)
                .toList();
    }

    private static Fleet of(ClusterMember... members) {
        return new TestFleets().cluster("e", "east", List.of(members)).build();
    }

    @Test
    void workIsInProportionToHeadroom() {
        assertThat(weights(of(
                        member("e", 0, GIGABYTE, 0), member("e", 1, GIGABYTE, 0.5), member("e", 2, 2 * GIGABYTE, 0.7))))
                .containsExactly(1000, 500, 600);
    }

    @Test
    void oneAtItsLimitThatIsWellStillShowsWhatItCanTake() {
        assertThat(weights(of(member("e", 0, 1000 * GIGABYTE, 0), member("e", 1, GIGABYTE, 1))))
                .containsExactly(1000, 1);
    }

    @ParameterizedTest
    @CsvSource({"500,0,0,0,0.5", "0,30,0,0,0.3", "0,0,0.2,0,0.2", "0,0,0,0.7,0.7", "500,30,0.2,0.7,0.7", "5000,0,0,0,1"
    })
    void aProcessIsAsUsedAsWhatItHasLeastOf(long bytes, int operations, double cpu, double memory, double used) {
        ClusterMember member = member("e", 0, 1000, 0);
        ClusterMember loaded = new ClusterMember(
                member.name(),
                member.instance(),
                member.address(),
                member.remoteAddress(),
                member.joined(),
                member.leaseEnd(),
                false,
                new Capacity(1000, 100, 0, 0, 4),
                new Load(bytes, operations, 0, cpu, memory, 1, 1, null, null, 9));

        assertThat(Utilisation.now(loaded)).isEqualTo(used);
    }

    @Test
    void aSlowStartEndsWithItsTimeAndNotATickBefore() {
        Instant end = NOW.minus(Rules.SLOW_START);

        assertThat(RouteCandidate.started(end, NOW)).isEqualTo(1);
        assertThat(RouteCandidate.started(end.plusNanos(1), NOW)).isEqualTo(0.9);
    }

    @Test
    void aSlowStartBeginsWithATenthUntilItsSecondStepEnds() {
        Duration step = Rules.SLOW_START.dividedBy(Rules.SLOW_START_STEPS);

        assertThat(RouteCandidate.started(NOW, NOW)).isEqualTo(Rules.SLOW_START_FLOOR);
        assertThat(RouteCandidate.started(NOW.minus(step.multipliedBy(2)).plusNanos(1), NOW))
                .isEqualTo(0.1);
        assertThat(RouteCandidate.started(NOW.minus(step.multipliedBy(2)), NOW)).isEqualTo(0.2);
    }

    @Test
    void whoseClockIsAheadBeginsLikeAnyOther() {
        assertThat(RouteCandidate.started(NOW.plus(Duration.ofHours(1)), NOW)).isEqualTo(Rules.SLOW_START_FLOOR);
    }

    @Test
    void aNewcomerHasLessOfTheWork() {
        assertThat(weights(of(member("e", 0, GIGABYTE, 0), TestFleets.joined(member("e", 1, GIGABYTE, 0), NOW))))
                .containsExactly(1000, 100);
    }
}
