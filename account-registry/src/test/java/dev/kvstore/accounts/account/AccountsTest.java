package dev.kvstore.accounts.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import dev.kvstore.accounts.RunningRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
class AccountsTest extends RunningRegistry {
    @BeforeEach
    void register() {
        tenant("owner");
        tenant("stranger");
    }

    @Test
    void anAccountIsRegisteredAndSaysHowToProveIt() {
        put("/v1/accounts/prod", account("owner", replica("eu-1", "prod", "blocks")))
                .then()
                .statusCode(201)
                .body("homeRegion", equalTo("eu-1"))
                .body("ready", equalTo(false))
                .body("replicas[0].state", equalTo("unproven"))
                .body("replicas[0].proof.blob", matchesPattern("kv/v1/owner/[0-9a-f]{64}"))
                .body("replicas[0].report", nullValue());
    }

    @Test
    void theSamePutAgainKeepsTheNonce() {
        Map<String, Object> spec = account("owner", replica("eu-1", "stable", "blocks"));
        String nonce = put("/v1/accounts/stable", spec).path("replicas[0].proof.content");

        put("/v1/accounts/stable", spec).then().statusCode(200).body("replicas[0].proof.content", equalTo(nonce));
    }

    @Test
    void anotherPlaceHasToBeProvenAnew() {
        String nonce = put("/v1/accounts/moved", account("owner", replica("eu-1", "moved1", "blocks")))
                .path("replicas[0].proof.content");

        put("/v1/accounts/moved", account("owner", replica("eu-1", "moved2", "blocks")))
                .then()
                .statusCode(200)
                .body("replicas[0].proof.content", not(equalTo(nonce)));
    }

    @Test
    void aContainerIsRegisteredOnceOverAllTenants() {
        put("/v1/accounts/first", account("owner", vouched("eu-1", "shared", "blocks")));

        put("/v1/accounts/second", account("stranger", replica("us-1", "SHARED", "blocks")))
                .then()
                .statusCode(409)
                .contentType("application/problem+json")
                .body("detail", containsString("registered already"));
    }

    @Test
    void aNameIsOneTenants() {
        put("/v1/accounts/taken", account("owner", replica("eu-1", "taken", "blocks")));

        put("/v1/accounts/taken", account("stranger", replica("eu-1", "taken2", "blocks")))
                .then()
                .statusCode(409);
    }

    @Test
    void replicasHaveAPlaceInEachRegionAndHomeIsOneOfThem() {
        Map<String, Object> two = Map.of(
                "tenant", "owner",
                "homeRegion", "us-1",
                "replicas", List.of(replica("eu-1", "two-eu", "blocks"), replica("us-1", "two-us", "blocks")));
        put("/v1/accounts/two", two).then().statusCode(201).body("homeRegion", equalTo("us-1"));
        put("/v1/accounts/two", account("owner", replica("eu-1", "two-eu", "blocks")))
                .then()
                .statusCode(200)
                .body("replicas.size()", equalTo(1));

        put(
                        "/v1/accounts/nowhere",
                        Map.of(
                                "tenant", "owner",
                                "homeRegion", "us-1",
                                "replicas", List.of(replica("eu-1", "nowhere", "blocks"))))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("homeRegion"));
    }

    @Test
    void aBlockMayBeFetchedFromAnotherOfItsReplicas() {
        List<?> both = List.of(replica("eu-1", "through-eu", "blocks"), replica("us-1", "through-us", "blocks"));
        put("/v1/accounts/reads-through", through(both, Map.of("from", "us-1")))
                .then()
                .statusCode(201)
                .body("readThrough.from", equalTo("us-1"))
                .body("readThrough.withinMillis", equalTo(500));
        put("/v1/accounts/reads-through", through(both, Map.of("from", "us-1", "withinMillis", 2_000)))
                .then()
                .body("readThrough.withinMillis", equalTo(2_000));
        put("/v1/accounts/reads-through", Map.of("tenant", "owner", "replicas", both))
                .then()
                .statusCode(200)
                .body("readThrough", nullValue());

        for (Map<?, ?> flawed : List.of(
                Map.of("from", "ap-1"),
                Map.of("withinMillis", 100),
                Map.of("from", "us-1", "withinMillis", 9),
                Map.of("from", "us-1", "withinMillis", 10_001))) {
            put("/v1/accounts/reads-through", through(both, flawed))
                    .then()
                    .statusCode(400)
                    .body("errors[0].field", startsWith("readThrough."));
        }
        put("/v1/accounts/reads-through", through(both.subList(0, 1), Map.of("from", "eu-1")))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("readThrough"));
    }

    @Test
    void howLongAnAccountMayBeServedWithoutTheControlPlaneIsADayUntilAnAdminSaysLess() {
        put("/v1/accounts/offline", account("owner", replica("eu-1", "offline", "blocks")))
                .then()
                .statusCode(201)
                .body("maxOfflineSeconds", equalTo(86_400));

        for (int seconds : List.of(0, 60, 86_400)) {
            put("/v1/accounts/offline", offline("offline", seconds)).then().statusCode(200);
            admin().get("/v1/accounts/offline").then().body("maxOfflineSeconds", equalTo(seconds));
        }
    }

    @Test
    void whoDoesNotSayHowLongAnAccountMayBeServedWithoutTheControlPlaneLeavesItAsItIs() {
        String tag =
                put("/v1/accounts/kept-offline", offline("kept-offline", 60)).header("ETag");

        put("/v1/accounts/kept-offline", account("owner", replica("eu-1", "kept-offline", "blocks")))
                .then()
                .statusCode(200)
                .header("ETag", tag)
                .body("maxOfflineSeconds", equalTo(60));
    }

    @Test
    void anAccountThatIsMadeAnewMayBeServedForADayWithoutTheControlPlane() {
        put("/v1/accounts/anew-offline", offline("anew-offline", 60));
        admin().delete("/v1/accounts/anew-offline").then().statusCode(204);

        put("/v1/accounts/anew-offline", account("owner", replica("eu-1", "anew-offline", "blocks")))
                .then()
                .statusCode(201)
                .body("maxOfflineSeconds", equalTo(86_400));
    }

    @Test
    void aTimeWithoutTheControlPlaneThatIsNoneIsNamed() {
        for (Object flawed : List.of(-1, 86_401, "60", 1.5)) {
            put("/v1/accounts/flawed-offline", offline("flawed-offline", flawed))
                    .then()
                    .statusCode(400)
                    .body("errors[0].field", equalTo("maxOfflineSeconds"));
        }
        put("/v1/accounts/flawed-offline", offline("flawed-offline", -1))
                .then()
                .body("errors[0].detail", containsString("0 to 86400"));
    }

    private static Map<String, ?> offline(String name, Object maxOfflineSeconds) {
        return Map.of(
                "tenant",
                "owner",
                "maxOfflineSeconds",
                maxOfflineSeconds,
                "replicas",
                List.of(replica("eu-1", name, "blocks")));
    }

    private static Map<String, ?> through(List<?> replicas, Map<?, ?> readThrough) {
        return Map.of("tenant", "owner", "readThrough", readThrough, "replicas", replicas);
    }

    @Test
    void aRegionMayBeAvoidedAndHomeMayNot() {
        List<?> replicas = List.of(replica("eu-1", "avoiding", "blocks"));
        put("/v1/accounts/avoiding", Map.of("tenant", "owner", "avoidedRegions", List.of("us-1"), "replicas", replicas))
                .then()
                .statusCode(201)
                .body("avoidedRegions", equalTo(List.of("us-1")));

        for (String flawed : List.of("eu-1", "no-such")) {
            put(
                            "/v1/accounts/avoiding",
                            Map.of("tenant", "owner", "avoidedRegions", List.of(flawed), "replicas", replicas))
                    .then()
                    .statusCode(400)
                    .body("errors[0].field", startsWith("avoidedRegions"));
        }
    }

    @Test
    void whatIsWrongIsNamed() {
        wrong(replica("no-such", "x", "blocks"), "replicas[0].region");
        wrong(replica("eu-1", "x", "UPPER"), "replicas[0].container");
        Map<String, Object> elsewhere = replica("eu-1", "x", "blocks");
        elsewhere.put("endpoint", "https://evil.example.net");
        wrong(elsewhere, "replicas[0].endpoint");
        Map<String, Object> secret = replica("eu-1", "x", "blocks");
        secret.put("credential", "sv=2026&sig=abc");
        wrong(secret, "replicas[0].credential");
        Map<String, Object> without = replica("eu-1", "x", "blocks");
        without.remove("credential");
        wrong(without, "replicas[0].credential");
        Map<String, Object> user = replica("eu-1", "x", "blocks");
        user.put("endpoint", "https://user@x.blob.core.windows.net");
        wrong(user, "replicas[0].endpoint");
        put("/v1/accounts/wrong", Map.of("tenant", "owner", "replicas", List.of()))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("replicas"));
    }

    private static void wrong(Map<?, ?> replica, String field) {
        put("/v1/accounts/wrong", account("owner", replica))
                .then()
                .statusCode(400)
                .contentType("application/problem+json")
                .body("errors[0].field", equalTo(field));
    }

    @Test
    void aDeletedAccountKeepsItsNameAndComesBackByAPut() {
        Map<String, Object> spec = account("owner", vouched("eu-1", "lazarus", "blocks"));
        put("/v1/accounts/lazarus", spec);

        admin().delete("/v1/accounts/lazarus").then().statusCode(204);

        admin().get("/v1/accounts/lazarus")
                .then()
                .body("state", equalTo("deleted"))
                .body("ready", equalTo(false));
        put("/v1/accounts/other", account("stranger", replica("eu-1", "lazarus", "blocks")))
                .then()
                .statusCode(409);
        put("/v1/accounts/lazarus", spec).then().statusCode(201).body("state", equalTo("active"));
    }

    @Test
    void listsAreFilteredByTenantRegionAndState() {
        put("/v1/accounts/listed", account("owner", replica("us-1", "listed", "blocks")));

        admin().queryParam("tenant", "owner")
                .queryParam("region", "us-1")
                .queryParam("state", "active")
                .queryParam("limit", 1000)
                .get("/v1/accounts")
                .then()
                .statusCode(200)
                .body("items.resourceName", hasItem("listed"));
        admin().queryParam("tenant", "stranger")
                .get("/v1/accounts")
                .then()
                .body("items.resourceName", not(hasItem("listed")));
    }

    @Test
    void limitsAreSetAndShown() {
        put("/v1/accounts/limited", account("owner", replica("eu-1", "limited", "blocks")));

        put("/v1/accounts/limited/limits", Map.of("operations", 10, "bytesPerSecond", 1_000_000))
                .then()
                .statusCode(200)
                .body("limits.operations", equalTo(10));
        put("/v1/accounts/limited/limits", Map.of("operations", -1, "bytesPerSecond", 0))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("operations"));
    }

    @Test
    void aTenantWithAccountsCannotBeDeleted() {
        tenant("busy");
        put("/v1/accounts/busy", account("busy", replica("eu-1", "busy", "blocks")));

        admin().delete("/v1/tenants/busy").then().statusCode(409);
    }

    @Test
    void anAccountIsPlacedOnAClusterOfItsRegion() {
        put("/v1/accounts/placed", account("owner", replica("eu-1", "placed", "blocks")));

        put("/v1/accounts/placed/placements/eu-1", Map.of("cluster", "eu-1-a", "pinned", true))
                .then()
                .statusCode(201)
                .body("pinned", equalTo(true));
        put("/v1/accounts/placed/placements/us-1", Map.of("cluster", "eu-1-a"))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("cluster"));
        admin().get("/v1/accounts/placed/placements").then().body("items.cluster", hasItem("eu-1-a"));
        admin().delete("/v1/accounts/placed/placements/eu-1").then().statusCode(204);
    }

    @Test
    void whoOnlyNamesAPlaceKeepsNobodyFromProvingIt() {
        put("/v1/accounts/squatter", account("stranger", replica("eu-1", "coveted", "blocks")));

        put("/v1/accounts/rightful", account("owner", replica("eu-1", "coveted", "blocks")))
                .then()
                .statusCode(201);
    }

    @Test
    void theSamePutAgainChangesNothing() {
        Map<String, Object> spec = account("owner", replica("eu-1", "same", "blocks"));
        String tag = put("/v1/accounts/same", spec).header("ETag");

        put("/v1/accounts/same", spec).then().statusCode(200).header("ETag", tag);

        admin().queryParam("kind", "account")
                .queryParam("name", "same")
                .get("/v1/audit")
                .then()
                .body("items.size()", equalTo(1));
    }

    @Test
    void aPageOfLargeAccountsOrChangesIsShorterThanItsLimitAndTheNextGoesOn() {
        tenant("bulky");
        List<Map<String, ?>> replicas = new ArrayList<>();
        for (int number = 0; number < 25; number++) {
            replicas.clear();
            for (int i = 0; i < 20; i++) {
                String folder = "file:///" + "f".repeat(400) + "/" + number + "/" + i;
                replicas.add(Map.of("region", "many-" + i, "endpoint", folder, "vouched", true));
            }
            put("/v1/accounts/bulky-" + number, Map.of("tenant", "bulky", "replicas", replicas))
                    .then()
                    .statusCode(201);
        }

        for (Map.Entry<String, String> list : Map.of("/v1/accounts", "resourceName", "/v1/audit?kind=account", "name")
                .entrySet()) {
            List<String> names = new ArrayList<>();
            String cursor = "";
            while (cursor != null) {
                Response page = admin().queryParam("tenant", "bulky")
                        .queryParam("limit", 1_000)
                        .queryParam("cursor", cursor)
                        .get(list.getKey());
                assertThat(page.asByteArray()).hasSizeBetween(10_000, 400_000);
                names.addAll(page.jsonPath().getList("items." + list.getValue(), String.class));
                cursor = page.path("next");
            }
            assertThat(names).hasSize(25).doesNotHaveDuplicates();
        }
    }

    @Test
    void aContainerIsMadeOnlyWhereAPlatformAdminVouches() {
        Map<String, Object> replica = replica("eu-1", "made", "blocks");
        replica.put("createContainer", true);

        wrong(replica, "replicas[0].createContainer");
    }

    @Test
    void whoBringsAnAccountBackBeginsWithNobodyLetIn() {
        Map<String, Object> spec = account("owner", replica("eu-1", "phoenix", "blocks"));
        put("/v1/accounts/phoenix", spec);
        put("/v1/accounts/phoenix/grants/g", Map.of("grantee", "stranger", "access", List.of("read")));
        String proof = admin().get("/v1/accounts/phoenix").path("replicas[0].proof.content");
        admin().delete("/v1/accounts/phoenix").then().statusCode(204);

        admin().header("If-None-Match", "*")
                .body(spec)
                .put("/v1/accounts/phoenix")
                .then()
                .statusCode(201)
                .body("replicas[0].proof.content", not(equalTo(proof)));

        admin().get("/v1/accounts/phoenix/grants").then().body("items.size()", equalTo(0));
    }

    @Test
    void anAccountHasAsManyGrantsAsTheQuotaSays() {
        put("/v1/accounts/granting", account("owner", replica("eu-1", "granting", "blocks")));
        for (int i = 0; i < 5; i++) {
            put("/v1/accounts/granting/grants/g" + i, Map.of("grantee", "stranger", "access", List.of("read")))
                    .then()
                    .statusCode(201);
        }

        put("/v1/accounts/granting/grants/g5", Map.of("grantee", "stranger", "access", List.of("read")))
                .then()
                .statusCode(409)
                .body("detail", containsString("at most 5 grants"));
    }

    @Test
    void limitsAreSaidWhole() {
        put("/v1/accounts/whole", account("owner", replica("eu-1", "whole", "blocks")));

        put("/v1/accounts/whole/limits", Map.of("operations", 1))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("bytesPerSecond"));
    }
}
