package dev.kvstore.accounts.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import dev.kvstore.accounts.RunningRegistry;
import dev.kvstore.admin.problem.ProblemException;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Placements: each names the cluster of a region that serves an account. */
@QuarkusTest
class PlacementsTest extends RunningRegistry {
    private static final String OWNER = "placing";

    @Inject
    @SuppressWarnings("NullAway.Init")
    Placements placements;

    @BeforeEach
    void register() {
        tenant(OWNER);
        tenant("placing-too");
    }

    private static void stored(String name) {
        put("/v1/accounts/" + name, account(OWNER, replica("eu-1", name, "blocks")))
                .then()
                .statusCode(201);
    }

    private static String path(String account, String region) {
        return "/v1/accounts/" + account + "/placements/" + region;
    }

    private static Response place(String account, String region, String cluster) {
        return put(path(account, region), Map.of("cluster", cluster));
    }

    @Test
    void aPlacementIsMadeChangedAndRemoved() {
        stored("placed-life");

        place("placed-life", "eu-1", "eu-1-a")
                .then()
                .statusCode(201)
                .header("ETag", notNullValue())
                .body("resourceName", equalTo("placed-life"))
                .body("region", equalTo("eu-1"))
                .body("cluster", equalTo("eu-1-a"))
                .body("pinned", equalTo(false))
                .body("automatic", equalTo(false));
        put(path("placed-life", "eu-1"), Map.of("cluster", "eu-1-b", "pinned", true))
                .then()
                .statusCode(200)
                .body("cluster", equalTo("eu-1-b"))
                .body("pinned", equalTo(true));
        admin().delete(path("placed-life", "eu-1")).then().statusCode(204);
        admin().get("/v1/accounts/placed-life/placements").then().body("items.size()", equalTo(0));
    }

    @Test
    void placementsAreListedByRegionOfOneAccount() {
        stored("placed-listed");
        stored("placed-unlisted");
        place("placed-listed", "us-1", "us-1-a");
        place("placed-listed", "eu-1", "eu-1-a");
        place("placed-unlisted", "ap-1", "ap-1-a");

        as("viewer@" + OWNER)
                .get("/v1/accounts/placed-listed/placements")
                .then()
                .statusCode(200)
                .body("items.region", equalTo(List.of("eu-1", "us-1")))
                .body("next", nullValue());
    }

    @Test
    void aClusterThatTheRegionDoesNotHaveIsRefused() {
        stored("placed-wrong");

        for (String cluster : List.of("us-1-a", "none")) {
            place("placed-wrong", "eu-1", cluster)
                    .then()
                    .statusCode(400)
                    .body("errors[0].field", equalTo("cluster"))
                    .body("errors[0].detail", equalTo("must be a cluster that is registered in eu-1"));
        }
        place("placed-wrong", "eu-1", "No Cluster")
                .then()
                .statusCode(400)
                .body("errors[0].detail", containsString("must be 1 to 63 of a-z"));
        put(path("placed-wrong", "eu-1"), Map.of("pinned", true))
                .then()
                .statusCode(400)
                .body("errors[0].detail", equalTo("is missing"));
    }

    @Test
    void onlyAPlatformAdminPlacesAccounts() {
        stored("placed-guarded");
        Map<String, Integer> statuses =
                Map.of("tenant-admin@" + OWNER, 403, "tenant-admin@placing-too", 404, "viewer@*", 403, "operator", 403);

        statuses.forEach((caller, status) -> as(caller)
                .body(Map.of("cluster", "eu-1-a"))
                .put(path("placed-guarded", "eu-1"))
                .then()
                .statusCode(status));
        place("placed-guarded", "eu-1", "eu-1-a").then().statusCode(201);
        statuses.forEach((caller, status) ->
                as(caller).delete(path("placed-guarded", "eu-1")).then().statusCode(status));
        as("viewer@placing-too")
                .get("/v1/accounts/placed-guarded/placements")
                .then()
                .statusCode(404)
                .body("detail", containsString("or it is not yours"));
    }

    @Test
    void aPlacementThatIsNotThereCannotBeRemoved() {
        stored("placed-none");

        admin().delete(path("placed-none", "eu-1"))
                .then()
                .statusCode(404)
                .body("detail", equalTo("there is no placement eu-1"));
        admin().delete(path("placed-never", "eu-1")).then().statusCode(404);
    }

    @Test
    void aDeletedAccountIsPlacedNowhereAndIsNotPlaced() {
        stored("placed-deleted");
        place("placed-deleted", "eu-1", "eu-1-a");
        admin().delete("/v1/accounts/placed-deleted").then().statusCode(204);

        admin().get("/v1/accounts/placed-deleted/placements").then().body("items.size()", equalTo(0));
        place("placed-deleted", "eu-1", "eu-1-a").then().statusCode(404);
        audit("placement", "placed-deleted/eu-1")
                .then()
                .body("items[0].action", equalTo("delete"))
                .body("items[0].before.cluster", equalTo("eu-1-a"))
                .body("items[0].after", nullValue());
    }

    @Test
    void aPreconditionThatDoesNotHoldChangesNothing() {
        stored("placed-raced");
        String tag = place("placed-raced", "eu-1", "eu-1-a").header("ETag");
        place("placed-raced", "eu-1", "eu-1-b");

        admin().header("If-Match", tag)
                .body(Map.of("cluster", "eu-1-a"))
                .put(path("placed-raced", "eu-1"))
                .then()
                .statusCode(412);
        admin().header("If-None-Match", "*")
                .body(Map.of("cluster", "eu-1-a"))
                .put(path("placed-raced", "eu-1"))
                .then()
                .statusCode(412);
        admin().header("If-Match", tag)
                .delete(path("placed-raced", "eu-1"))
                .then()
                .statusCode(412);
        admin().get("/v1/accounts/placed-raced/placements").then().body("items[0].cluster", equalTo("eu-1-b"));
    }

    @Test
    void aPlacementThatIsMadeAnewHasAVersionThatNoneHadBefore() {
        stored("placed-anew");
        String tag = place("placed-anew", "eu-1", "eu-1-a").header("ETag");
        admin().delete(path("placed-anew", "eu-1")).then().statusCode(204);
        clock.move(java.time.Duration.ofMillis(1));

        assertThat(place("placed-anew", "eu-1", "eu-1-a").header("ETag")).isNotEqualTo(tag);
    }

    @Test
    void aPatchChangesOneFieldAndKeepsTheOther() {
        stored("placed-patched");
        place("placed-patched", "eu-1", "eu-1-a");

        admin().contentType("application/merge-patch+json")
                .body(Map.of("pinned", true))
                .patch(path("placed-patched", "eu-1"))
                .then()
                .statusCode(200)
                .body("cluster", equalTo("eu-1-a"))
                .body("pinned", equalTo(true));
    }

    @Test
    void dataPlanesAskForTheAccountAgain() {
        stored("placed-told");

        assertThat(affected(() -> place("placed-told", "eu-1", "eu-1-a")).resourceNames())
                .containsExactly("placed-told");
        assertThat(affected(() -> place("placed-told", "eu-1", "eu-1-a")).resourceNames())
                .isEmpty();
        assertThat(affected(() -> admin().delete(path("placed-told", "eu-1"))).resourceNames())
                .containsExactly("placed-told");
    }

    @Test
    void ofConcurrentPlacementsThatMustBeNewOneIsMade() throws Exception {
        stored("placed-contested");

        assertThat(statuses(IntStream.range(0, 6)
                        .<Callable<Response>>mapToObj(i -> () -> admin().header("If-None-Match", "*")
                                .body(Map.of("cluster", i % 2 == 0 ? "eu-1-a" : "eu-1-b"))
                                .put(path("placed-contested", "eu-1")))
                        .toList()))
                .containsOnly(201, 412)
                .containsOnlyOnce(201);
    }

    @Test
    void thePlatformChoosesTheClusterWithTheMostHeadroomForEachOfItsAccounts() {
        for (int i = 0; i < 3; i++) {
            stored("chosen-" + i);
        }
        TreeMap<String, Double> headroom = new TreeMap<>(Map.of("many-chosen-a", 100.0, "many-chosen-b", 90.0));

        // a: 100, b: 90; then a: 50, b: 90; then a: 50, b: 45.
        assertThat(placements.choose("chosen-0", "many-chosen", headroom)).isEqualTo("many-chosen-a");
        assertThat(placements.choose("chosen-1", "many-chosen", headroom)).isEqualTo("many-chosen-b");
        assertThat(placements.choose("chosen-2", "many-chosen", headroom)).isEqualTo("many-chosen-a");

        admin().get("/v1/accounts/chosen-0/placements")
                .then()
                .body("items[0].automatic", equalTo(true))
                .body("items[0].pinned", equalTo(false));
        audit("placement", "chosen-0/many-chosen").then().body("items[0].actor", equalTo("control-plane"));
    }

    @Test
    void ofClustersWithEqualHeadroomTheFirstNameIsChosen() {
        stored("chosen-tie");

        assertThat(placements.choose(
                        "chosen-tie", "many-tie", new TreeMap<>(Map.of("many-tie-b", 1.0, "many-tie-a", 1.0))))
                .isEqualTo("many-tie-a");
    }

    @Test
    void aChoiceStaysWhileItsClusterMayBeChosen() {
        stored("chosen-stays");
        var _ = placements.choose("chosen-stays", "many-stays", new TreeMap<>(Map.of("a", 1.0)));

        assertThat(placements.choose("chosen-stays", "many-stays", new TreeMap<>(Map.of("a", 1.0, "b", 1_000.0))))
                .isEqualTo("a");
        assertThat(placements.choose("chosen-stays", "many-stays", new TreeMap<>(Map.of("b", 1_000.0))))
                .isEqualTo("b");
        assertThat(placements.choose("chosen-stays", "many-stays", new TreeMap<>()))
                .isEqualTo("b");
    }

    @Test
    void whereNoClusterMayBeChosenTheAccountIsPlacedNowhere() {
        stored("chosen-none");

        assertThat(placements.choose("chosen-none", "many-none", new TreeMap<>()))
                .isNull();

        admin().get("/v1/accounts/chosen-none/placements").then().body("items.size()", equalTo(0));
    }

    @Test
    void aPlacementByAnAdminStaysWhateverThePlatformWouldChoose() {
        stored("chosen-not");
        place("chosen-not", "eu-1", "eu-1-a");

        assertThat(placements.choose("chosen-not", "eu-1", new TreeMap<>(Map.of("eu-1-b", 1_000.0))))
                .isEqualTo("eu-1-a");
        admin().get("/v1/accounts/chosen-not/placements").then().body("items[0].automatic", equalTo(false));
    }

    @Test
    void anAdminsPlacementTakesThePlaceOfAnAutomaticOne() {
        stored("chosen-replaced");
        var _ = placements.choose("chosen-replaced", "eu-1", new TreeMap<>(Map.of("eu-1-a", 1.0)));

        place("chosen-replaced", "eu-1", "eu-1-b")
                .then()
                .statusCode(200)
                .body("automatic", equalTo(false))
                .body("cluster", equalTo("eu-1-b"));
    }

    @Test
    void forAnAccountThatDoesNotExistNothingIsChosen() {
        assertThatThrownBy(() -> placements.choose("chosen-never", "eu-1", new TreeMap<>(Map.of("eu-1-a", 1.0))))
                .isInstanceOf(ProblemException.class)
                .hasMessage("there is no account chosen-never");
    }
}
