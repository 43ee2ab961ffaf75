package dev.kvstore.clusters.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.nullValue;

import dev.kvstore.clusters.RunningRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Regions, and how far they are apart. */
@QuarkusTest
class RegionsTest extends RunningRegistry {
    private static Response region(String name, Map<String, ?> spec) {
        return put("/v1/regions/" + name, spec);
    }

    private static Response apart(String one, String other, Object micros) {
        return put("/v1/regions/" + one + "/round-trips/" + other, Map.of("micros", micros));
    }

    @Test
    void aRegionIsRegisteredChangedAndRemoved() {
        region("life", Map.of())
                .then()
                .statusCode(201)
                .body("name", equalTo("life"))
                .body("displayName", equalTo("life"));
        region("life", Map.of("displayName", "Life 1")).then().statusCode(200).body("displayName", equalTo("Life 1"));
        admin().get("/v1/regions/life").then().statusCode(200).body("displayName", equalTo("Life 1"));

        admin().delete("/v1/regions/life").then().statusCode(204);

        admin().get("/v1/regions/life").then().statusCode(404).body("detail", equalTo("there is no region life"));
        admin().delete("/v1/regions/life").then().statusCode(404);
    }

    @ParameterizedTest
    @CsvSource({
        "platform-admin, 201, 204",
        "operator, 201, 204",
        "operator@acme, 403, 403",
        "tenant-admin@acme, 403, 403",
        "viewer@*, 403, 403"
    })
    void onlyOperatorsOfThePlatformChangeRegions(String caller, int made, int deleted) {
        String name = "by-" + caller.replaceAll("[^a-z]", "-") + "x";
        as(caller).body(Map.of()).put("/v1/regions/" + name).then().statusCode(made);
        region(name);
        region("by-other");

        as(caller)
                .body(Map.of("micros", 5))
                .put("/v1/regions/" + name + "/round-trips/by-other")
                .then()
                .statusCode(made);
        as(caller).delete("/v1/regions/" + name).then().statusCode(deleted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"viewer@acme", "tenant-admin@acme", "operator"})
    void everyCallerSeesRegions(String caller) {
        region("seen");

        as(caller).get("/v1/regions/seen").then().statusCode(200);
        as(caller).queryParam("limit", 1_000).get("/v1/regions").then().body("items.name", hasItem("seen"));
        as(caller).get("/v1/regions/seen/round-trips").then().statusCode(200);
    }

    @Test
    void aCallerWithoutARoleSeesNothing() {
        as("nobody").get("/v1/regions").then().statusCode(403);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\u0085b"})
    void aDisplayNameThatIsNoneIsRefused(String wrong) {
        region("named", Map.of("displayName", wrong))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("displayName"))
                .body("errors[0].detail", org.hamcrest.Matchers.containsString("control"));
    }

    @Test
    void aDisplayNameHasUpTo200Characters() {
        region("named-long", Map.of("displayName", "n".repeat(200))).then().statusCode(201);
        region("named-long", Map.of("displayName", "n".repeat(201))).then().statusCode(400);
    }

    @Test
    void listsComeInPagesByName() {
        for (String name : List.of("page-b", "page-c", "page-a")) {
            region(name);
        }

        assertThat(listed("/v1/regions", "name"))
                .isSorted()
                .doesNotHaveDuplicates()
                .contains("page-a", "page-b", "page-c");
    }

    @Test
    void aRegionWithClustersStays() {
        cluster("full", "full-a");

        admin().delete("/v1/regions/full")
                .then()
                .statusCode(409)
                .body("detail", equalTo("full has clusters: delete them first"));
        admin().get("/v1/regions/full").then().statusCode(200);
    }

    @Test
    void aRegionWithStorageOfAccountsStays() {
        region("stored-1");

        admin().delete("/v1/regions/stored-1")
                .then()
                .statusCode(409)
                .body("detail", equalTo("2 accounts have storage in stored-1: remove it from them first"));
    }

    @Test
    void withARegionItsRoundTripsGoEachWithAChangeOfItsOwn() {
        region("leaving");
        region("staying");
        apart("staying", "leaving", 7).then().statusCode(201);

        admin().delete("/v1/regions/leaving").then().statusCode(204);

        admin().get("/v1/regions/staying/round-trips").then().body("items.size()", equalTo(0));
        audit("round-trip", "leaving/staying")
                .then()
                .body("items.action", equalTo(List.of("delete", "create")))
                .body("items[0].before.micros", equalTo(7))
                .body("items[0].after", nullValue());
        audit("region", "leaving").then().body("items.action", equalTo(List.of("delete", "create")));
    }

    @Test
    void theSameAgainChangesNothing() {
        String tag = region("same", Map.of("displayName", "S")).header("ETag");

        region("same", Map.of("displayName", "S")).then().statusCode(200).header("ETag", tag);

        audit("region", "same").then().body("items.size()", equalTo(1));
    }

    @Test
    void aPreconditionThatDoesNotHoldChangesNothing() {
        String tag = region("raced", Map.of()).header("ETag");
        region("raced", Map.of("displayName", "R"));

        admin().header("If-Match", tag)
                .body(Map.of())
                .put("/v1/regions/raced")
                .then()
                .statusCode(412);
        admin().header("If-None-Match", "*")
                .body(Map.of())
                .put("/v1/regions/raced")
                .then()
                .statusCode(412);
        admin().header("If-Match", tag).delete("/v1/regions/raced").then().statusCode(412);
        admin().header("If-Match", "*")
                .body(Map.of())
                .put("/v1/regions/raced-never")
                .then()
                .statusCode(412);
        admin().get("/v1/regions/raced").then().body("displayName", equalTo("R"));
    }

    @Test
    void aRegionThatIsMadeAnewHasAVersionThatNoneHadBefore() {
        String tag = region("anew", Map.of()).header("ETag");
        admin().delete("/v1/regions/anew").then().statusCode(204);
        clock.move(Duration.ofMillis(1));

        assertThat(region("anew", Map.of()).header("ETag")).isNotEqualTo(tag);
    }

    @Test
    void ofConcurrentRegistrationsThatMustBeNewOneIsMade() throws Exception {
        assertThat(statuses(IntStream.range(0, 6)
                        .<Callable<Response>>mapToObj(i -> () -> admin().header("If-None-Match", "*")
                                .body(Map.of("displayName", "n" + i))
                                .put("/v1/regions/contested"))
                        .toList()))
                .containsOnly(201, 412)
                .containsOnlyOnce(201);
    }

    @Test
    void aPatchSetsTheDisplayNameAndNullTakesItBack() {
        region("patched", Map.of("displayName", "P"));

        admin().contentType("application/merge-patch+json")
                .body(Map.of("displayName", "Q"))
                .patch("/v1/regions/patched")
                .then()
                .statusCode(200)
                .body("displayName", equalTo("Q"));
        admin().contentType("application/merge-patch+json")
                .body("{\"displayName\": null}")
                .patch("/v1/regions/patched")
                .then()
                .statusCode(200)
                .body("displayName", equalTo("patched"));
    }

    @Test
    void aRoundTripIsChangedFromEitherSideAndShownFromBoth() {
        region("east");
        region("west");
        apart("west", "east", 80_000)
                .then()
                .statusCode(201)
                .body("region", equalTo("west"))
                .body("other", equalTo("east"));

        apart("east", "west", 70_000).then().statusCode(200).body("micros", equalTo(70_000));

        admin().get("/v1/regions/west/round-trips")
                .then()
                .body("items.other", equalTo(List.of("east")))
                .body("items.micros", equalTo(List.of(70_000)));
        audit("round-trip", "east/west").then().body("items.action", equalTo(List.of("update", "create")));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 10_000_001})
    void aRoundTripTakesOneMicrosecondToTenSeconds(long micros) {
        region("slow");
        region("slower");

        apart("slow", "slower", micros)
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("micros"))
                .body("errors[0].detail", equalTo("must be 1 to 10000000, in microseconds"));
        apart("slow", "slower", 1).then().statusCode(org.hamcrest.Matchers.oneOf(200, 201));
        apart("slow", "slower", 10_000_000).then().statusCode(200);
    }

    @Test
    void aRoundTripIsBetweenTwoRegionsThatExist() {
        region("lone");

        apart("lone", "lone", 5).then().statusCode(400).body("errors[0].detail", equalTo("must be another region"));
        apart("lone", "never", 5).then().statusCode(404).body("detail", equalTo("there is no region never"));
        apart("never", "lone", 5).then().statusCode(404).body("detail", containsString("never"));
        admin().get("/v1/regions/never/round-trips").then().statusCode(404);
        put("/v1/regions/lone/round-trips/slow", Map.of()).then().statusCode(400);
    }

    @Test
    void aRoundTripThatMustBeNewIsNot() {
        region("apart-1");
        region("apart-2");
        String tag = apart("apart-1", "apart-2", 5).header("ETag");
        apart("apart-1", "apart-2", 6);

        admin().header("If-None-Match", "*")
                .body(Map.of("micros", 7))
                .put("/v1/regions/apart-2/round-trips/apart-1")
                .then()
                .statusCode(412);
        admin().header("If-Match", tag)
                .body(Map.of("micros", 7))
                .put("/v1/regions/apart-1/round-trips/apart-2")
                .then()
                .statusCode(412);
    }
}
