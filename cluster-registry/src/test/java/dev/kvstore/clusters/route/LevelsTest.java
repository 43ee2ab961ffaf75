package dev.kvstore.clusters.route;

import static dev.kvstore.clusters.route.TestFleets.NOW;
import static dev.kvstore.clusters.route.TestFleets.anywhere;
import static dev.kvstore.clusters.route.TestFleets.member;
import static dev.kvstore.clusters.route.TestFleets.route;
import static dev.kvstore.clusters.route.TestFleets.shares;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.kvstore.clusters.cluster.ClusterState;
import dev.kvstore.clusters.fleet.Fleet;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class LevelsTest {
    private static final Fleet THREE = new TestFleets()
            .apart("east", "west", 60)
            .apart("east", "north", 20)
            .cluster("e1", "east", 2, 0)
            .cluster("e2", "east", 2, 0)
            .cluster("n1", "north", 2, 0)
            .cluster("u1", "unmeasured", 2, 0)
            .cluster("w1", "west", 2, 0)
            .build();

    private static Constraints placed(String region, String cluster, boolean pinned) {
        return new Constraints("east", Set.of(), Map.of(region, new Constraints.Placed(cluster, pinned)), 0);
    }

    private static List<String> clusters(Route.Level level) {
        return level.targets().stream().map(Route.Target::cluster).distinct().toList();
    }

    @Test
    void theClientsRegionComesFirstThenTheNearestAndTheUnmeasuredLast() {
        Route route = route(THREE, anywhere("west"), "east");

        assertThat(route.levels())
                .extracting(Route.Level::region)
                .containsExactly("east", "north", "west", "unmeasured");
        assertThat(route.levels())
                .extracting(Route.Level::roundTrip)
                .containsExactly(Duration.ZERO, Duration.ofMillis(20), Duration.ofMillis(60), null);
        assertThat(shares(route)).containsExactly(1000, 0, 0, 0);
    }

    @Test
    void allProcessesOfAClusterAreAtItsAdvertisedAddressForClientsOfEveryRegion() {
        Fleet fleet = new TestFleets()
                .apart("east", "west", 60)
                .cluster("e1", "east", 2, 0)
                .advertisedAt("balancer:443")
                .cluster("w1", "west", 1, 0)
                .build();

        for (String region : List.of("east", "west")) {
            List<Route.Target> targets = route(fleet, anywhere("east"), region).levels().stream()
                    .flatMap(level -> level.targets().stream())
                    .toList();

            assertThat(targets)
                    .filteredOn(target -> target.cluster().equals("e1"))
                    .extracting(Route.Target::process, Route.Target::address)
                    .containsExactlyInAnyOrder(tuple("p0000", "balancer:443"), tuple("p0001", "balancer:443"));
            assertThat(targets)
                    .filteredOn(target -> target.cluster().equals("w1"))
                    .extracting(Route.Target::address)
                    .containsExactly(region.equals("west") ? "w1.p0000:8085" : "w1.p0000.far:8085");
        }
    }

    @ParameterizedTest
    @CsvSource({"balancer, balancer:8085", "[fd00::9], [fd00::9]:8085", "balancer:443, balancer:443"})
    void anAdvertisedHostAloneHasEachProcessAtItsOwnPort(String advertised, String expected) {
        Fleet fleet = new TestFleets()
                .cluster("e1", "east", 1, 0)
                .advertisedAt(advertised)
                .build();

        assertThat(route(fleet, anywhere("east"), "east").levels().getFirst().targets())
                .extracting(Route.Target::address)
                .containsExactly(expected);
    }

    @Test
    void aRouteWithAnotherAdvertisedAddressIsAnotherRoute() {
        Fleet one = new TestFleets()
                .cluster("e1", "east", 2, 0)
                .advertisedAt("a:443")
                .build();
        Fleet other = new TestFleets()
                .cluster("e1", "east", 2, 0)
                .advertisedAt("b:443")
                .build();

        assertThat(route(one, anywhere("east"), "east").version())
                .isNotEqualTo(route(other, anywhere("east"), "east").version());
    }

    @Test
    void aClientOfARegionNobodyKnowsIsTakenToBeAtHome() {
        Route route = route(THREE, anywhere("west"), "atlantis");

        assertThat(route.region()).isEqualTo("west");
        assertThat(route.levels().getFirst().region()).isEqualTo("west");
    }

    @Test
    void onlyAllowedRegionsServeAlsoAClientThatIsElsewhere() {
        Route route = route(THREE, new Constraints("west", Set.of("west"), Map.of(), 0), "east");

        assertThat(route.region()).isEqualTo("east");
        assertThat(route.levels()).extracting(Route.Level::region).containsExactly("west");
    }

    @Test
    void whereTheAccountIsAvoidedItIsNotServed() {
        Route route =
                route(THREE, new Constraints("west", Set.of(), Set.of("east", "north"), Map.of(), Map.of(), 0), "east");

        assertThat(route.levels()).extracting(Route.Level::region).containsExactly("west", "unmeasured");
    }

    @Test
    void onceHomeIsDownRegionsWithAStorageOfTheirOwnComeFirstTheWarmedBeforeTheOthers() {
        Constraints constraints = new Constraints(
                "east",
                Set.of(),
                Set.of(),
                Map.of("east", Warmth.STORED, "unmeasured", Warmth.STORED, "west", Warmth.WARMED),
                Map.of(),
                0);
        Fleet down = new TestFleets()
                .apart("east", "west", 60)
                .apart("east", "north", 20)
                .cluster("e1", "east", 0, 2)
                .cluster("n1", "north", 2, 0)
                .cluster("u1", "unmeasured", 2, 0)
                .cluster("w1", "west", 2, 0)
                .build();

        assertThat(route(THREE, constraints, "east").levels())
                .as("while home is well, the nearest")
                .extracting(Route.Level::region)
                .containsExactly("east", "north", "west", "unmeasured");
        assertThat(route(down, constraints, "east").levels())
                .extracting(Route.Level::region)
                .containsExactly("west", "unmeasured", "north");
        assertThat(route(down, constraints, "unmeasured").levels())
                .as("a client of a region that has what it asks for stays there")
                .extracting(Route.Level::region)
                .containsExactly("unmeasured", "west", "north");
        assertThat(route(down, anywhere("east"), "east").levels())
                .as("an account with one storage is served from the nearest")
                .extracting(Route.Level::region)
                .containsExactly("north", "west", "unmeasured");
    }

    @Test
    void aPlacementComesBeforeTheRestOfItsRegion() {
        Route route = route(THREE, placed("east", "e2", false), "east");

        assertThat(clusters(route.levels().get(0))).containsExactly("e2");
        assertThat(clusters(route.levels().get(1))).containsExactly("e1");
        assertThat(route.levels().get(2).region()).isEqualTo("north");
    }

    @Test
    void nothingButAPinnedClusterServesInItsRegion() {
        Route route = route(THREE, placed("east", "e2", true), "east");

        assertThat(clusters(route.levels().get(0))).containsExactly("e2");
        assertThat(route.levels().get(1).region()).isEqualTo("north");
    }

    @ParameterizedTest
    @EnumSource(names = "ACTIVE", mode = EnumSource.Mode.EXCLUDE)
    void onlyActiveClustersTakeWork(ClusterState state) {
        Fleet fleet = new TestFleets()
                .cluster("a", "east", state, List.of(member("a", 0, 1, 0)))
                .build();

        assertThat(route(fleet, anywhere("east"), "east").levels()).isEmpty();
    }

    @Test
    void aProcessThatDrainsTakesNothingAndIsNotMissed() {
        Fleet fleet = new TestFleets()
                .cluster("a", "east", List.of(member("a", 0, 1, 0), TestFleets.draining(member("a", 1, 1, 0))))
                .cluster("b", "west", 1, 0)
                .build();

        Route route = route(fleet, anywhere("east"), "east");

        assertThat(route.levels().getFirst().targets())
                .extracting(Route.Target::process)
                .containsExactly("p0000");
        assertThat(shares(route)).containsExactly(1000, 0);
    }

    @Test
    void aLeaseCountsUntilTheMomentItEnds() {
        Fleet fleet = new TestFleets()
                .cluster(
                        "a",
                        "east",
                        List.of(
                                TestFleets.leaseUntil(member("a", 0, 1, 0), NOW),
                                TestFleets.leaseUntil(member("a", 1, 1, 0), NOW.plusNanos(1))))
                .build();

        assertThat(route(fleet, anywhere("east"), "east").levels().getFirst().targets())
                .extracting(Route.Target::process)
                .containsExactly("p0001");
    }

    @Test
    void clientsOfOtherRegionsAreToldTheOtherAddress() {
        Route route = route(THREE, anywhere("east"), "east");

        assertThat(route.levels().get(0).targets().getFirst().address()).isEqualTo("e1.p0000:8085");
        assertThat(route.levels().get(1).targets().getFirst().address()).isEqualTo("n1.p0000.far:8085");
    }

    @Test
    void noRouteIsToDeadProcessesOnlyWhileAnyAreWell() {
        TestFleets fleets = new TestFleets();
        for (int i = 0; i < 5; i++) {
            fleets.apart("home", "r" + i, 10 + i).cluster("c" + i, "r" + i, 0, 2);
        }
        Fleet fleet =
                fleets.apart("home", "far", 100).cluster("half", "far", 1, 1).build();

        Route route = route(fleet, anywhere("home"), "home");

        assertThat(route.levels()).extracting(Route.Level::region).containsExactly("r0", "r1", "r2", "far");
        assertThat(route.levels().getLast().targets())
                .extracting(Route.Target::process)
                .contains("p0000");
        assertThat(route.levels().getLast().share()).isPositive();
    }

    @Test
    void aRouteNamesNoMoreThanItMay() {
        TestFleets fleets = new TestFleets();
        for (int i = 0; i < 6; i++) {
            fleets.cluster("c" + i, "r" + i, 100, 0);
        }

        assertThat(route(fleets.build(), anywhere("r0"), "r0").levels())
                .extracting(level -> level.targets().size())
                .containsExactly(64, 32, 16, 16);
    }

    @Test
    void aDrawnTargetThatGoesIsReplacedByOneAndTheRestStays() {
        Fleet before = new TestFleets().cluster("a", "east", 200, 0).build();
        List<Route.Target> drawn =
                route(before, anywhere("east"), "east").levels().getFirst().targets();
        Fleet after = new TestFleets()
                .cluster(
                        "a",
                        "east",
                        before.clusters().getFirst().members().stream()
                                .filter(member ->
                                        !member.name().equals(drawn.getFirst().process()))
                                .toList())
                .build();

        List<Route.Target> drawnThen =
                route(after, anywhere("east"), "east").levels().getFirst().targets();

        assertThat(drawnThen).hasSize(64).containsAll(drawn.subList(1, 64));
    }

    @Test
    void reasonsSayWhyEachClusterIsInOrOut() {
        Fleet fleet = new TestFleets()
                .cluster("a", "east", 3, 1)
                .cluster("b", "east", ClusterState.DRAINING, List.of())
                .cluster("c", "west", 1, 0)
                .cluster("d", "east", 0, 0)
                .build();
        Constraints constraints = new Constraints("east", Set.of("east"), Map.of(), 0);
        Routing routing = Routing.of(fleet, Utilisation::now);

        assertThat(routing.reasons(constraints, routing.route(constraints, "east")))
                .extracting(Reason::routed, Reason::text)
                .containsExactly(
                        tuple(true, "3 of 4 processes are well, 100 % headroom; level 1 has 1000 of 1000"),
                        tuple(false, "draining"),
                        tuple(false, "not in one of the account's allowed regions"),
                        tuple(false, "has no processes"));
    }
}
