package dev.kvstore.control.rest;

import static dev.kvstore.control.rest.RestAdmin.admin;
import static dev.kvstore.control.rest.RestAdmin.put;
import static dev.kvstore.control.rest.RestAdmin.region;
import static dev.kvstore.control.rest.RestAdmin.tenant;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.control.rest.ApiDocument.ApiOperation;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.config.EncoderConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** PATCH changes the fields that it has and keeps all others. */
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class PatchTest {
    private static final String TYPE = "application/merge-patch+json";

    @BeforeEach
    void register() {
        region("patched");
        region("patched-2");
        tenant("patched");
    }

    private static Response patch(String path, String body) {
        return patch(path, body, Map.of());
    }

    private static Response patch(String path, String body, Map<String, String> headers) {
        return given().config(RestAssuredConfig.config()
                        .encoderConfig(EncoderConfig.encoderConfig().encodeContentTypeAs(TYPE, ContentType.TEXT)))
                .header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .header("Content-Type", TYPE)
                .headers(headers)
                .body(body)
                .patch(path);
    }

    @Test
    void aClusterKeepsItsStateWhenItsAddressesChange() {
        put("/v1/clusters/patched-a", Map.of("region", "patched", "state", "active", "advertisedAddress", "lb.net:1"));

        patch("/v1/clusters/patched-a", "{\"addresses\": [\"10.0.0.0/8:8085\"]}")
                .then()
                .statusCode(200)
                .body("state", equalTo("active"))
                .body("region", equalTo("patched"))
                .body("advertisedAddress", equalTo("lb.net:1"))
                .body("addresses", equalTo(List.of("10.0.0.0/8:8085")));
    }

    @Test
    void anAccountKeepsItsReplicasWhenAnotherFieldChanges() {
        put(
                        "/v1/accounts/patched-kept",
                        Map.of(
                                "tenant",
                                "patched",
                                "avoidedRegions",
                                List.of("patched-2"),
                                "replicas",
                                List.of(
                                        RestAdmin.vouched("patched", "patched-kept", "one"),
                                        RestAdmin.vouched("patched-2", "patched-kept", "two"))))
                .then()
                .statusCode(201);

        patch("/v1/accounts/patched-kept", "{\"maxOfflineSeconds\": 300}")
                .then()
                .statusCode(200)
                .body("maxOfflineSeconds", equalTo(300))
                .body("avoidedRegions", equalTo(List.of("patched-2")))
                .body("replicas.vouched", equalTo(List.of(true, true)))
                .body("replicas.container", equalTo(List.of("one", "two")));
    }

    @Test
    void nullHasAFieldBeAsAtFirst() {
        put(
                "/v1/clusters/patched-n",
                Map.of("region", "patched", "advertisedAddress", "lb.net:1", "addresses", List.of("h:1")));
        put("/v1/tenants/patched-n", Map.of("displayName", "N", "state", "suspended"));

        patch("/v1/clusters/patched-n", "{\"advertisedAddress\": null, \"addresses\": null}")
                .then()
                .statusCode(200)
                .body("advertisedAddress", nullValue())
                .body("addresses", equalTo(List.of("*")));
        patch("/v1/tenants/patched-n", "{\"displayName\": null}")
                .then()
                .body("displayName", equalTo("patched-n"))
                .body("state", equalTo("suspended"));
    }

    @Test
    void eachOtherKindKeepsItsOtherFieldsToo() {
        put("/v1/clusters/patched-k", Map.of("region", "patched", "state", "active"));
        put("/v1/clusters/patched-k/processes/p", Map.of("address", "10.9.9.9:8085", "numaNode", 1));
        put("/v1/tenants/patched-k", Map.of());
        put(
                "/v1/accounts/patched-k",
                RestAdmin.account("patched", RestAdmin.replica("patched", "patched-k", "blocks")));
        put(
                "/v1/accounts/patched-k/grants/g",
                Map.of("grantee", "patched-k", "access", List.of("read"), "partition", "p"));
        put("/v1/accounts/patched-k/placements/patched", Map.of("cluster", "patched-k", "pinned", true));
        put("/v1/tenants/patched-k/keys/patchedk0000", Map.of("label", "l", "secret", "s".repeat(43)));

        patch("/v1/clusters/patched-k/processes/p", "{\"draining\": true}")
                .then()
                .body("address", equalTo("10.9.9.9:8085"))
                .body("numaNode", equalTo(1))
                .body("draining", equalTo(true));
        patch("/v1/accounts/patched-k/grants/g", "{\"access\": [\"read\", \"write\"]}")
                .then()
                .body("partition", equalTo("p"))
                .body("access", equalTo(List.of("read", "write")));
        patch("/v1/accounts/patched-k/placements/patched", "{\"cluster\": \"patched-k\"}")
                .then()
                .body("pinned", equalTo(true));
        patch("/v1/tenants/patched-k/keys/patchedk0000", "{\"expiresAt\": \"2999-01-01T00:00:00Z\"}")
                .then()
                .statusCode(200)
                .body("label", equalTo("l"));
        patch("/v1/regions/patched", "{}").then().statusCode(200).body("displayName", equalTo("patched"));
    }

    @Test
    void aPatchMakesNothingAndRevivesNothing() {
        tenant("patched-gone");
        admin().delete("/v1/tenants/patched-gone").then().statusCode(204);

        patch("/v1/tenants/patched-gone", "{\"displayName\": \"x\"}").then().statusCode(404);
        patch("/v1/clusters/patched-none", "{\"region\": \"patched\"}").then().statusCode(404);
    }

    @Test
    void aPatchThatExpectsAnotherVersionChangesNothing() {
        put("/v1/clusters/patched-m", Map.of("region", "patched", "state", "active"));

        patch("/v1/clusters/patched-m", "{\"state\": \"draining\"}", Map.of("If-Match", "\"1\""))
                .then()
                .statusCode(412);

        admin().get("/v1/clusters/patched-m").then().body("state", equalTo("active"));
    }

    @Test
    void ofPatchesAtOneTimeNoneUndoesAnother() throws Exception {
        put("/v1/clusters/patched-c", Map.of("region", "patched", "state", "provisioning"));
        List<Callable<Integer>> patches = List.of(
                () -> patch("/v1/clusters/patched-c", "{\"state\": \"active\"}").statusCode(),
                () -> patch("/v1/clusters/patched-c", "{\"addresses\": [\"h:1\"]}")
                        .statusCode(),
                () -> patch("/v1/clusters/patched-c", "{\"advertisedAddress\": \"lb.net\"}")
                        .statusCode());

        List<Integer> statuses = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var answer : threads.invokeAll(patches)) {
                statuses.add(answer.get());
            }
        }

        assertThat(statuses).containsOnly(200);
        admin().get("/v1/clusters/patched-c")
                .then()
                .body("state", equalTo("active"))
                .body("addresses", equalTo(List.of("h:1")))
                .body("advertisedAddress", equalTo("lb.net"));
    }

    @Test
    void aFieldThatCannotBeSetIsRefusedByName() {
        put("/v1/clusters/patched-f", Map.of("region", "patched"));

        for (String wrong : List.of("version", "name", "nosuch", "addresses[0]", "state")) {
            String field = wrong.replace("[0]", "");
            String value = wrong.endsWith("]") ? "[1]" : wrong.equals("nosuch") ? "null" : "7";
            patch("/v1/clusters/patched-f", "{\"" + field + "\": " + value + "}")
                    .then()
                    .statusCode(400)
                    .body("errors[0].field", equalTo(wrong));
        }
    }

    @Test
    void aBodyThatIsNoPatchIsRefused() {
        put("/v1/clusters/patched-b", Map.of("region", "patched"));

        for (String body : Malformed.BODIES) {
            assertThat(patch("/v1/clusters/patched-b", body).statusCode())
                    .as(body)
                    .isEqualTo(400);
        }
    }

    @Test
    void aBodyOfJsonIsAPatchToo() {
        put("/v1/clusters/patched-b", Map.of("region", "patched"));

        admin().body("{}").patch("/v1/clusters/patched-b").then().statusCode(200);
    }

    /** Except where the PUT has no field that it can leave out. */
    @Test
    void whatCanBePutCanBePatched() {
        List<String> put = paths("PUT");

        put.removeAll(List.of("/v1/accounts/{account}/limits", "/v1/regions/{region}/round-trips/{other}"));

        assertThat(paths("PATCH")).containsExactlyElementsOf(put);
    }

    private static List<String> paths(String method) {
        return new ArrayList<>(ApiDocument.served().operations().stream()
                .filter(operation -> operation.method().equals(method))
                .map(ApiOperation::path)
                .sorted()
                .toList());
    }
}
