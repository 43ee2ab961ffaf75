package dev.kvstore.clusters.route;

import static dev.kvstore.clusters.route.Fleets.GIGABYTE;
import static dev.kvstore.clusters.route.Fleets.NOW;
import static dev.kvstore.clusters.route.Fleets.anywhere;
import static dev.kvstore.clusters.route.Fleets.member;
import static dev.kvstore.clusters.route.Fleets.route;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.clusters.fleet.Capacity;
import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.Load;
import dev.kvstore.clusters.fleet.Member;
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

    private static Fleet of(Member... members) {
        return new Fleets().cluster("e", "east", List.of(members)).build();
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
        Member member = member("e", 0, 1000, 0);
        Member loaded = new Member(
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

        assertThat(Candidate.started(end, NOW)).isEqualTo(1);
        assertThat(Candidate.started(end.plusNanos(1), NOW)).isEqualTo(0.9);
    }

    @Test
    void aSlowStartBeginsWithATenthUntilItsSecondStepEnds() {
        Duration step = Rules.SLOW_START.dividedBy(Rules.SLOW_START_STEPS);

        assertThat(Candidate.started(NOW, NOW)).isEqualTo(Rules.SLOW_START_FLOOR);
        assertThat(Candidate.started(NOW.minus(step.multipliedBy(2)).plusNanos(1), NOW))
                .isEqualTo(0.1);
        assertThat(Candidate.started(NOW.minus(step.multipliedBy(2)), NOW)).isEqualTo(0.2);
    }

    @Test
    void whoseClockIsAheadBeginsLikeAnyOther() {
        assertThat(Candidate.started(NOW.plus(Duration.ofHours(1)), NOW)).isEqualTo(Rules.SLOW_START_FLOOR);
    }

    @Test
    void aNewcomerHasLessOfTheWork() {
        assertThat(weights(of(member("e", 0, GIGABYTE, 0), Fleets.joined(member("e", 1, GIGABYTE, 0), NOW))))
                .containsExactly(1000, 100);
    }
}
