package dev.kvstore.clusters.route;

import static dev.kvstore.clusters.route.TestFleets.GIGABYTE;
import static dev.kvstore.clusters.route.TestFleets.NOW;
import static dev.kvstore.clusters.route.TestFleets.member;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvstore.clusters.cluster.ClusterState;
import dev.kvstore.clusters.fleet.ClusterMember;
import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.FleetCluster;
import dev.kvstore.clusters.fleet.Rules;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SmoothedUtilisationTest {
    private static Fleet fleet(Duration after, List<ClusterMember> members) {
        return new Fleet(
                NOW.plus(after),
                Set.of("east"),
                Map.of(),
                List.of(new FleetCluster("e", "east", ClusterState.ACTIVE, null, members)));
    }

    private static Fleet fleet(Duration after, double cpu) {
        return fleet(after, List.of(member("e", 0, GIGABYTE, cpu)));
    }

    private static double of(SmoothedUtilisation steadied) {
        return steadied.of(member("e", 0, GIGABYTE, 0));
    }

    @Test
    void aProcessBeginsWithWhatItSays() {
        assertThat(of(SmoothedUtilisation.NOTHING.next(fleet(Duration.ZERO, 0.7))))
                .isEqualTo(0.7);
    }

    @Test
    void aChangeCountsForNearlyTwoThirdsAfterItsTime() {
        SmoothedUtilisation steadied = SmoothedUtilisation.NOTHING.next(fleet(Duration.ZERO, 0));

        steadied = steadied.next(fleet(Rules.STEADYING, 0.8));

        assertThat(of(steadied)).isCloseTo(0.8 * (1 - Math.exp(-1)), within(1e-9));
    }

    @Test
    void whoStartsSlowlyIsFollowedAtOnce() {
        ClusterMember idle = TestFleets.joined(member("e", 0, GIGABYTE, 0), NOW);
        ClusterMember busy = TestFleets.joined(member("e", 0, GIGABYTE, 0.7), NOW);
        SmoothedUtilisation steadied = SmoothedUtilisation.NOTHING.next(fleet(Duration.ZERO, List.of(idle)));

        assertThat(of(steadied.next(fleet(Rules.SLOW_START.minusNanos(1), List.of(busy)))))
                .isEqualTo(0.7);
        assertThat(of(steadied.next(fleet(Rules.SLOW_START, List.of(busy))))).isLessThan(0.7);
    }

    @Test
    void aSmallChangeOfLoadChangesNothing() {
        SmoothedUtilisation steadied = SmoothedUtilisation.NOTHING.next(fleet(Duration.ZERO, 0.5));

        assertThat(of(steadied.next(fleet(Duration.ofHours(1), 0.524)))).isEqualTo(0.5);
        assertThat(of(steadied.next(fleet(Duration.ofHours(1), 0.526)))).isCloseTo(0.526, within(1e-9));
    }

    @Test
    void replicasThatBeganAtOtherTimesComeToAgree() {
        SmoothedUtilisation early =
                SmoothedUtilisation.NOTHING.next(fleet(Duration.ZERO, 0)).next(fleet(Duration.ofMinutes(10), 0.6));
        SmoothedUtilisation late = SmoothedUtilisation.NOTHING.next(fleet(Duration.ofMinutes(10), 0.6));

        assertThat(of(early)).isCloseTo(of(late), within(Rules.HOLD * 0.4));
    }

    /** Each process is given what its weight says, one heartbeat late, as clients do that follow routes. */
    @ParameterizedTest
    @ValueSource(doubles = {0.3, 0.6, 0.85})
    void workDoesNotSwingBetweenProcesses(double demand) {
        double[] used = {0.9 * demand, 0.1 * demand};
        SmoothedUtilisation steadied = SmoothedUtilisation.NOTHING;
        for (int beat = 0; beat < 200; beat++) {
            List<ClusterMember> members = new ArrayList<>();
            for (int i = 0; i < used.length; i++) {
                members.add(member("e", i, GIGABYTE, used[i]));
            }
            Fleet fleet = fleet(Rules.HEARTBEAT.multipliedBy(beat), leased(members, beat));
            steadied = steadied.next(fleet);
            List<Route.Target> targets = Routing.of(fleet, steadied)
                    .route(TestFleets.anywhere("east"), "east")
                    .levels()
                    .getFirst()
                    .targets();
            double all = targets.stream().mapToInt(Route.Target::weight).sum();
            for (int i = 0; i < used.length; i++) {
                used[i] = Math.min(1, 2 * demand * targets.get(i).weight() / all);
            }
        }

        assertThat(used[0]).isCloseTo(used[1], within(0.1));
    }

    private static List<ClusterMember> leased(List<ClusterMember> members, int beat) {
        return members.stream()
                .map(member -> TestFleets.leaseUntil(
                        member, NOW.plus(Rules.HEARTBEAT.multipliedBy(beat)).plus(Rules.LEASE)))
                .toList();
    }
}
