package dev.kvstore.clusters.route;

import static dev.kvstore.clusters.route.TestFleets.GIGABYTE;
import static dev.kvstore.clusters.route.TestFleets.NOW;
import static dev.kvstore.clusters.route.TestFleets.draining;
import static dev.kvstore.clusters.route.TestFleets.leaseUntil;
import static dev.kvstore.clusters.route.TestFleets.member;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvstore.clusters.cluster.ClusterState;
import dev.kvstore.clusters.fleet.Fleet;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The clusters of a region on which the platform may place an account, with what they could take. */
class VacanciesTest {
    private static SortedMap<String, Double> vacancies(Fleet fleet) {
        return Routing.of(fleet, Utilisation::now).vacancies("east");
    }

    @Test
    void aClustersHeadroomIsThatOfItsDataPlanesWithLeases() {
        Fleet fleet = new TestFleets()
                .cluster(
                        "b",
                        "east",
                        List.of(member("b", 0, GIGABYTE, 0.25), leaseUntil(member("b", 1, GIGABYTE, 0), NOW)))
                .cluster("a", "east", 2, 0)
                .build();

        assertThat(vacancies(fleet)).containsOnlyKeys("a", "b");
        assertThat(vacancies(fleet).firstKey()).isEqualTo("a");
        assertThat(vacancies(fleet).get("a")).isCloseTo(2.0 * GIGABYTE, within(1.0));
        assertThat(vacancies(fleet).get("b")).isCloseTo(0.75 * GIGABYTE, within(1.0));
    }

    @Test
    void aDataPlaneThatDrainsHasNoRoom() {
        Fleet fleet = new TestFleets()
                .cluster("a", "east", List.of(member("a", 0, GIGABYTE, 0), draining(member("a", 1, GIGABYTE, 0))))
                .build();

        assertThat(vacancies(fleet).get("a")).isCloseTo(1.0 * GIGABYTE, within(1.0));
    }

    @Test
    void aFullDataPlaneStillHasAHundredthOfItsCapacity() {
        Fleet fleet = new TestFleets()
                .cluster("a", "east", List.of(member("a", 0, GIGABYTE, 1)))
                .build();

        assertThat(vacancies(fleet).get("a")).isCloseTo(0.01 * GIGABYTE, within(1.0));
    }

    @Test
    void aClusterWithoutADataPlaneThatHoldsALeaseIsNotThere() {
        Fleet fleet = new TestFleets()
                .cluster("empty", "east", List.of())
                .cluster("gone", "east", 0, 3)
                .build();

        assertThat(vacancies(fleet)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(value = ClusterState.class, mode = EnumSource.Mode.EXCLUDE, names = "ACTIVE")
    void aClusterThatIsNotActiveTakesNoAccounts(ClusterState state) {
        Fleet fleet = new TestFleets()
                .cluster("a", "east", state, List.of(member("a", 0, GIGABYTE, 0)))
                .build();

        assertThat(vacancies(fleet)).isEmpty();
    }

    @Test
    void clustersOfOtherRegionsAreNotThere() {
        Fleet fleet = new TestFleets()
                .cluster("a", "west", 1, 0)
                .cluster("b", "east", 1, 0)
                .build();

        assertThat(vacancies(fleet)).containsOnlyKeys("b");
        assertThat(Routing.of(fleet, Utilisation::now).vacancies("never")).isEmpty();
    }
}
