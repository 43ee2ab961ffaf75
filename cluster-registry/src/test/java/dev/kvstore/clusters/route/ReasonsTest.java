package dev.kvstore.clusters.route;

import static dev.kvstore.clusters.route.TestFleets.GIGABYTE;
import static dev.kvstore.clusters.route.TestFleets.anywhere;
import static dev.kvstore.clusters.route.TestFleets.draining;
import static dev.kvstore.clusters.route.TestFleets.member;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.clusters.cluster.ClusterState;
import dev.kvstore.clusters.fleet.Fleet;
import dev.kvstore.clusters.fleet.Rules;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The reasons that a route gives to people: why each cluster is in the route or out of it. */
class ReasonsTest {
    private static Reason reason(Fleet fleet, Constraints constraints, String cluster) {
        Routing routing = Routing.of(fleet, Utilisation::now);
        return routing.reasons(constraints, routing.route(constraints, "east")).stream()
                .filter(reason -> reason.cluster().equals(cluster))
                .findFirst()
                .orElseThrow();
    }

    private static Constraints allowed(String... regions) {
        return new Constraints("east", Set.of(regions), Map.of(), 0);
    }

    private static Constraints placed(String cluster, boolean pinned) {
        return new Constraints("east", Set.of(), Map.of("east", new Constraints.Placed(cluster, pinned)), 0);
    }

    @Test
    void aClusterInTheRouteSaysItsLevelAndItsShare() {
        Fleet fleet = new TestFleets().cluster("a", "east", 2, 1).build();

        assertThat(reason(fleet, anywhere("east"), "a"))
                .isEqualTo(new Reason(
                        "a", "east", true, "2 of 3 processes are well, 100 % headroom; level 1 has 1000 of 1000"));
    }

    @Test
    void oneProcessIsWellInTheSingular() {
        Fleet fleet = new TestFleets().cluster("a", "east", 1, 0).build();

        assertThat(reason(fleet, anywhere("east"), "a").text()).startsWith("1 of 1 processes is well");
    }

    @Test
    void processesThatDrainAreCounted() {
        Fleet fleet = new TestFleets()
                .cluster("a", "east", List.of(member("a", 0, GIGABYTE, 0.5), draining(member("a", 1, GIGABYTE, 0))))
                .build();

        assertThat(reason(fleet, anywhere("east"), "a").text())
                .isEqualTo("1 of 2 processes is well, 1 drain, 50 % headroom; level 1 has 1000 of 1000");
    }

    @Test
    void aFartherClusterIsALevelWithoutAShareWhileNearerOnesSuffice() {
        Fleet fleet = new TestFleets()
                .apart("east", "west", 80)
                .cluster("a", "east", 2, 0)
                .cluster("b", "west", 2, 0)
                .build();

        assertThat(reason(fleet, anywhere("east"), "b").text())
                .isEqualTo("2 of 2 processes are well, 100 % headroom; level 2 has 0 of 1000");
    }

    @Test
    void aClusterBeyondTheLastLevelOfARouteIsNotNeeded() {
        TestFleets fleets = new TestFleets().cluster("a", "east", 1, 0);
        for (int i = 1; i <= Rules.TARGETS.size(); i++) {
            fleets.apart("east", "west-" + i, 10 * i).cluster("b" + i, "west-" + i, 1, 0);
        }

        assertThat(reason(fleets.build(), anywhere("east"), "b" + Rules.TARGETS.size()))
                .isEqualTo(new Reason(
                        "b4", "west-4", false, "1 of 1 processes is well, 100 % headroom; nearer levels suffice"));
    }

    @ParameterizedTest
    @EnumSource(value = ClusterState.class, mode = EnumSource.Mode.EXCLUDE, names = "ACTIVE")
    void aClusterThatIsNotActiveSaysItsState(ClusterState state) {
        Fleet fleet = new TestFleets()
                .cluster("a", "east", state, List.of(member("a", 0, GIGABYTE, 0)))
                .build();

        assertThat(reason(fleet, anywhere("east"), "a"))
                .isEqualTo(new Reason("a", "east", false, state.name().toLowerCase(java.util.Locale.ROOT)));
    }

    @Test
    void aRegionThatIsNotAllowedOrAvoidedIsNamedAsSuch() {
        Fleet fleet = new TestFleets()
                .cluster("a", "east", 1, 0)
                .cluster("b", "west", 1, 0)
                .build();

        assertThat(reason(fleet, allowed("east"), "b").text()).isEqualTo("not in one of the account's allowed regions");
        assertThat(reason(fleet, new Constraints("east", Set.of(), Set.of("west"), Map.of(), Map.of(), 0), "b")
                        .text())
                .isEqualTo("the account avoids this region");
    }

    @Test
    void aPlacementIsNamedAndAPinKeepsOthersOut() {
        Fleet fleet = new TestFleets()
                .cluster("a", "east", 1, 0)
                .cluster("b", "east", 1, 0)
                .build();

        assertThat(reason(fleet, placed("a", false), "a").text()).contains(", placed here; level 1");
        assertThat(reason(fleet, placed("a", true), "a").text()).contains(", pinned; level 1");
        assertThat(reason(fleet, placed("a", true), "b"))
                .isEqualTo(new Reason("b", "east", false, "in this region the account is pinned to a"));
    }

    @Test
    void aClusterWithoutProcessesOrWithNobodyWellSaysSo() {
        Fleet fleet = new TestFleets()
                .cluster("a", "east", 3, 0)
                .cluster("empty", "east", List.of())
                .cluster("gone", "east", 0, 2)
                .build();

        assertThat(reason(fleet, anywhere("east"), "empty").text()).isEqualTo("has no processes");
        assertThat(reason(fleet, anywhere("east"), "gone").text()).startsWith("0 of 2 processes are well");
    }

    @Test
    void aLevelInPanicSaysSo() {
        Fleet fleet = new TestFleets().cluster("a", "east", 1, 4).build();

        assertThat(reason(fleet, anywhere("east"), "a").text())
                .isEqualTo("1 of 5 processes is well, 100 % headroom, panic; level 1 has 1000 of 1000");
    }

    @Test
    void aClusterOfMoreThanARouteNamesSaysThatSomeAreDrawnByLot() {
        Fleet fleet = new TestFleets()
                .cluster("a", "east", Rules.TARGETS.getFirst() + 1, 0)
                .build();

        assertThat(reason(fleet, anywhere("east"), "a").text()).contains(", some by lot");
    }

    @Test
    void everyClusterHasAReasonInTheOrderOfNames() {
        Fleet fleet = new TestFleets()
                .cluster("c", "east", 1, 0)
                .cluster("a", "west", 1, 0)
                .cluster("b", "east", ClusterState.OFFLINE, List.of())
                .build();
        Routing routing = Routing.of(fleet, Utilisation::now);

        assertThat(routing.reasons(anywhere("east"), routing.route(anywhere("east"), "east")))
                .extracting(Reason::cluster)
                .containsExactly("a", "b", "c");
    }
}
