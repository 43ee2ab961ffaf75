package dev.kvstore.clusters.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import dev.kvstore.clusters.RunningRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import jakarta.transaction.UserTransaction;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clusters: the roles that may register and remove them, and the refusals. */
@QuarkusTest
class ClusterRulesTest extends RunningRegistry {
    @Inject
    @SuppressWarnings("NullAway.Init")
    ClusterRepository repository;

    @Inject
    @SuppressWarnings("NullAway.Init")
    UserTransaction transaction;

    @BeforeEach
    void register() {
        region("ruled");
    }

    private static Response cluster(String name, Map<String, ?> more) {
        Map<String, Object> spec = new java.util.HashMap<>(Map.of("region", "ruled"));
        spec.putAll(more);
        return put("/v1/clusters/" + name, spec);
    }

    @Test
    void aNewClusterTakesAnyAddressAndNothingElseYet() {
        cluster("ruled-new", Map.of())
                .then()
                .statusCode(201)
                .body("state", equalTo("provisioning"))
                .body("addresses", equalTo(List.of()))
                .body("advertisedAddress", nullValue());
    }

    @ParameterizedTest
    @CsvSource({
        "platform-admin, 201, 204",
        "operator, 201, 204",
        "operator@acme, 403, 403",
        "tenant-admin@acme, 403, 403",
        "viewer@*, 403, 403"
    })
    void onlyOperatorsOfThePlatformChangeClusters(String caller, int made, int deleted) {
        String name = "by-" + caller.replaceAll("[^a-z]", "-") + "x";
        as(caller)
                .body(Map.of("region", "ruled"))
                .put("/v1/clusters/" + name)
                .then()
                .statusCode(made);
        cluster(name, Map.of());

        as(caller).delete("/v1/clusters/" + name).then().statusCode(deleted);
    }

    @ParameterizedTest
    @CsvSource({"viewer@*, 200", "operator, 200", "viewer@acme, 403", "tenant-admin@acme, 403"})
    void onlyCallersOfThePlatformSeeClusters(String caller, int status) {
        cluster("ruled-seen", Map.of());

        as(caller).get("/v1/clusters").then().statusCode(status);
        as(caller).get("/v1/clusters/ruled-seen").then().statusCode(status);
    }

    @Test
    void aRegionThatIsNotRegisteredHasNoCluster() {
        put("/v1/clusters/ruled-lost", Map.of("region", "never"))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("region"))
                .body("errors[0].detail", equalTo("must be a region that is registered"));
        put("/v1/clusters/ruled-lost", Map.of())
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("region"))
                .body("errors[0].detail", equalTo("is missing"));
        admin().get("/v1/clusters/ruled-lost")
                .then()
                .statusCode(404)
                .body("detail", equalTo("there is no cluster ruled-lost"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"provisioning", "active", "draining", "offline"})
    void aClusterHasOneOfFourStates(String state) {
        cluster("ruled-state", Map.of("state", state)).then().body("state", equalTo(state));
    }

    @Test
    void aStateThatIsNoneIsRefused() {
        cluster("ruled-state", Map.of("state", "sleepy"))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("state"));
        admin().queryParam("state", "sleepy")
                .get("/v1/clusters")
                .then()
                .statusCode(400)
                .body("errors[0].detail", equalTo("must be one of provisioning, active, draining, offline"));
    }

    @Test
    void patternsOfAddressesStayUntilTheyAreSetAnew() {
        cluster("ruled-patterns", Map.of("addresses", List.of("10.0.0.0/8:8085-8099", "*.kv.example.com")))
                .then()
                .statusCode(201)
                .body("addresses", equalTo(List.of("10.0.0.0/8:8085-8099", "*.kv.example.com")));

        cluster("ruled-patterns", Map.of("state", "active"))
                .then()
                .body("addresses", equalTo(List.of("10.0.0.0/8:8085-8099", "*.kv.example.com")));
        cluster("ruled-patterns", Map.of("addresses", List.of("*"))).then().body("addresses", equalTo(List.of("*")));
    }

    @Test
    void aPatternThatIsNoneIsNamedWithItsPlace() {
        cluster("ruled-flawed", Map.of("addresses", List.of("*", "10.0.0.0/40")))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("addresses[1]"))
                .body("errors[0].detail", containsString("must be host or host:ports"));
        cluster("ruled-flawed", Map.of("addresses", List.of()))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("addresses"))
                .body("errors[0].detail", containsString("must have 1 to 32 patterns"));
        cluster("ruled-flawed", Map.of("addresses", Collections.nCopies(33, "*")))
                .then()
                .statusCode(400);
        admin().get("/v1/clusters/ruled-flawed").then().statusCode(404);
        cluster("ruled-flawed", Map.of("addresses", Collections.nCopies(32, "*")))
                .then()
                .statusCode(201);
    }

    @Test
    void aClusterOnWhichAccountsArePlacedStays() {
        cluster("placed-1", Map.of());

        admin().delete("/v1/clusters/placed-1")
                .then()
                .statusCode(409)
                .body("detail", equalTo("3 accounts are placed on placed-1: delete their placements first"));
        admin().get("/v1/clusters/placed-1").then().statusCode(200);
    }

    @Test
    void aClusterWithProcessesStays() {
        cluster("ruled-busy", Map.of());
        put("/v1/clusters/ruled-busy/processes/p0", Map.of("address", "10.77.0.1:1"));

        admin().delete("/v1/clusters/ruled-busy")
                .then()
                .statusCode(409)
                .body("detail", equalTo("ruled-busy has processes: delete them first"));
    }

    @Test
    void theLogHasEachChangeAndNoTenant() {
        cluster("ruled-logged", Map.of());
        as("operator").body(Map.of("region", "ruled", "state", "active")).put("/v1/clusters/ruled-logged");
        admin().delete("/v1/clusters/ruled-logged").then().statusCode(204);

        audit("cluster", "ruled-logged")
                .then()
                .body("items.action", equalTo(List.of("delete", "update", "create")))
                .body("items[1].actor", equalTo("operator"))
                .body("items[1].before.state", equalTo("provisioning"))
                .body("items[1].after.state", equalTo("active"))
                .body("items[1].tenant", nullValue())
                .body("items[0].after", nullValue());
    }

    @Test
    void theSameAgainChangesNothing() {
        String tag = cluster("ruled-same", Map.of("state", "active")).header("ETag");
        clock.move(Duration.ofSeconds(1));

        cluster("ruled-same", Map.of("state", "active")).then().statusCode(200).header("ETag", tag);

        audit("cluster", "ruled-same").then().body("items.size()", equalTo(1));
    }

    @Test
    void aChangeMovesItsTimeAndNotThatOfItsMaking() {
        String made = cluster("ruled-times", Map.of()).path("createdAt");
        clock.move(Duration.ofSeconds(2));

        cluster("ruled-times", Map.of("state", "active"))
                .then()
                .body("createdAt", equalTo(made))
                .body("updatedAt", equalTo(clock.instant().toString()));
    }

    @Test
    void aPreconditionThatDoesNotHoldChangesNothing() {
        String tag = cluster("ruled-raced", Map.of()).header("ETag");
        cluster("ruled-raced", Map.of("state", "active"));

        for (String header : List.of("If-Match", "If-None-Match")) {
            admin().header(header, header.equals("If-Match") ? tag : "*")
                    .body(Map.of("region", "ruled", "state", "offline"))
                    .put("/v1/clusters/ruled-raced")
                    .then()
                    .statusCode(412);
        }
        admin().header("If-Match", tag)
                .delete("/v1/clusters/ruled-raced")
                .then()
                .statusCode(412);
        admin().get("/v1/clusters/ruled-raced").then().body("state", equalTo("active"));
    }

    @Test
    void aClusterThatIsMadeAnewHasAVersionThatNoneHadBefore() {
        String tag = cluster("ruled-anew", Map.of()).header("ETag");
        admin().delete("/v1/clusters/ruled-anew").then().statusCode(204);
        clock.move(Duration.ofMillis(1));

        assertThat(cluster("ruled-anew", Map.of()).header("ETag")).isNotEqualTo(tag);
    }

    @Test
    void ofConcurrentRegistrationsThatMustBeNewOneIsMade() throws Exception {
        assertThat(statuses(IntStream.range(0, 6)
                        .<Callable<Response>>mapToObj(_ -> () -> admin().header("If-None-Match", "*")
                                .body(Map.of("region", "ruled"))
                                .put("/v1/clusters/ruled-contested"))
                        .toList()))
                .containsOnly(201, 412)
                .containsOnlyOnce(201);
    }

    @Test
    void aProcessRegisteredWhileItsClusterIsRemovedKeepsTheClusterOrIsRefused() throws Exception {
        for (int i = 0; i < 5; i++) {
            String name = "ruled-race-" + i;
            String address = "10.78.0." + i + ":1";
            cluster(name, Map.of());

            assertThat(statuses(List.of(
                            () -> put("/v1/clusters/" + name + "/processes/p0", Map.of("address", address)),
                            () -> admin().delete("/v1/clusters/" + name))))
                    .isIn(List.of(201, 409), List.of(404, 204));
        }
    }

    @Test
    void listsAreFilteredAndComeInPagesByName() {
        region("ruled-list");
        for (String name : List.of("listed-c", "listed-a", "listed-b")) {
            put("/v1/clusters/" + name, Map.of("region", "ruled-list", "state", "active"));
        }
        put("/v1/clusters/listed-d", Map.of("region", "ruled-list"));

        assertThat(listed("/v1/clusters?region=ruled-list", "name"))
                .containsExactly("listed-a", "listed-b", "listed-c", "listed-d");
        assertThat(listed("/v1/clusters?region=ruled-list&state=active", "name"))
                .containsExactly("listed-a", "listed-b", "listed-c");
        assertThat(listed("/v1/clusters?region=never", "name")).isEmpty();
    }

    @Test
    void aPatchChangesOneFieldAndNullTakesItBack() {
        cluster("ruled-patched", Map.of("state", "active", "advertisedAddress", "kv.example.net"));

        patch("{\"addresses\": [\"10.0.0.0/8\"]}")
                .then()
                .statusCode(200)
                .body("state", equalTo("active"))
                .body("advertisedAddress", equalTo("kv.example.net"))
                .body("addresses", equalTo(List.of("10.0.0.0/8")));
        patch("{\"addresses\": null, \"advertisedAddress\": null, \"state\": null}")
                .then()
                .statusCode(200)
                .body("state", equalTo("provisioning"))
                .body("advertisedAddress", nullValue())
                .body("addresses", equalTo(List.of("*")));
    }

    private static Response patch(String body) {
        return admin().contentType("application/merge-patch+json").body(body).patch("/v1/clusters/ruled-patched");
    }

    @Test
    void aClusterIsInItsRegionAlone() throws Exception {
        cluster("ruled-there", Map.of());

        transaction.begin();
        try {
            assertThat(repository.has("ruled", "ruled-there")).isTrue();
            assertThat(repository.has("ruled-list", "ruled-there")).isFalse();
            assertThat(repository.has("ruled", "never")).isFalse();
        } finally {
            transaction.rollback();
        }
    }
}
