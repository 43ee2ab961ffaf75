package dev.kvstore.control.rest;

import static dev.kvstore.control.rest.RestAdmin.put;
import static dev.kvstore.control.rest.RestAdmin.region;
import static dev.kvstore.control.rest.RestAdmin.tenant;
import static dev.kvstore.control.rest.RestAdmin.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.startsWith;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rights of roles, with tokens of an OIDC issuer. */
@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class RolesTest {
    private static final int ATTEMPTS = 1_000;

    @BeforeEach
    void register() {
        tenant("a");
        tenant("b");
        region("eu-1");
        put("/v1/accounts/of-a", RestAdmin.account("a", RestAdmin.replica("eu-1", "of-a", "blocks")));
        put("/v1/accounts/of-b", RestAdmin.account("b", RestAdmin.replica("eu-1", "of-b", "blocks")));
    }

    private static String tenantAdmin(String tenant) {
        return TestIssuer.token(List.of("tenant-admin"), tenant);
    }

    @Test
    void aPlatformAdminOfTheIssuerMayDoEverything() {
        String token = TestIssuer.token(List.of("platform-admin"), null);

        with(token).body(Map.of()).put("/v1/tenants/by-oidc").then().statusCode(201);

        with(token)
                .queryParam("name", "by-oidc")
                .get("/v1/audit")
                .then()
                .body("items[0].role", equalTo("platform-admin"));
    }

    @Test
    void aTenantAdminRunsItsOwnTenant() {
        String token = tenantAdmin("a");

        with(token).post("/v1/tenants/a/keys").then().statusCode(201);
        with(token)
                .body(Map.of("grantee", "b", "access", List.of("read")))
                .put("/v1/accounts/of-a/grants/b")
                .then()
                .statusCode(201);
        with(token).get("/v1/tenants").then().body("items.name", contains("a"));
        with(token).get("/v1/accounts").then().body("items.tenant", everyItem(equalTo("a")));
        with(token).get("/v1/audit").then().statusCode(200).body("items.tenant", everyItem(equalTo("a")));
    }

    @Test
    void aTenantAdminRegistersOnlyWhatCannotReachThePlatform() {
        String token = tenantAdmin("a");
        for (String credential : List.of("env:PATH", "file:/etc/passwd")) {
            Map<String, Object> replica = RestAdmin.replica("eu-1", "reaching", "blocks");
            replica.put("credential", credential);
            with(token)
                    .body(RestAdmin.account("a", replica))
                    .put("/v1/accounts/reaching")
                    .then()
                    .statusCode(400)
                    .body("errors[0].field", equalTo("replicas[0].credential"));
        }
        Map<String, Object> vouched = RestAdmin.replica("eu-1", "reaching", "blocks");
        vouched.put("vouched", true);
        with(token)
                .body(RestAdmin.account("a", vouched))
                .put("/v1/accounts/reaching")
                .then()
                .statusCode(400);
        with(token)
                .body(RestAdmin.account("a", Map.of("region", "eu-1", "endpoint", "file:///etc")))
                .put("/v1/accounts/reaching")
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("replicas[0].endpoint"));
    }

    @Test
    void aTenantAdminOfNoTenantHasNoRole() {
        with(TestIssuer.token(List.of("tenant-admin"), null))
                .get("/v1/tenants")
                .then()
                .statusCode(403);
        // A claim that is missing, for whatever reason, opens nothing.
        with(TestIssuer.token(List.of("viewer"), null))
                .get("/v1/tenants")
                .then()
                .statusCode(403);
        with(TestIssuer.token(List.of("janitor"), null))
                .get("/v1/tenants")
                .then()
                .statusCode(403);
    }

    @Test
    void anOperatorRunsClustersAndNothingOfTenants() {
        String token = TestIssuer.token(List.of("operator"), null);

        with(token)
                .body(Map.of("region", "eu-1"))
                .put("/v1/clusters/operated")
                .then()
                .statusCode(201);
        with(token).get("/v1/accounts/of-a").then().statusCode(200);
        with(token).body(Map.of()).put("/v1/tenants/new").then().statusCode(403);
        with(token).post("/v1/tenants/a/keys").then().statusCode(403);
        with(token).delete("/v1/accounts/of-a").then().statusCode(403);
    }

    @Test
    void aViewerChangesNothing() {
        String token = TestIssuer.token(List.of("viewer"), "*");

        with(token).get("/v1/accounts/of-a").then().statusCode(200);
        with(token).body(Map.of()).put("/v1/regions/new").then().statusCode(403);
        with(token).body(Map.of()).put("/v1/tenants/new").then().statusCode(403);
        with(TestIssuer.token(List.of("viewer"), "b"))
                .get("/v1/accounts/of-a")
                .then()
                .statusCode(404);
    }

    @Test
    void tokensThatAreForgedEndedOrForAnotherServiceAreRefused() {
        List<String> admin = List.of("platform-admin");
        for (String token :
                List.of(TestIssuer.forged(admin), TestIssuer.expired(admin), TestIssuer.forAnother(admin))) {
            with(token).get("/v1/tenants").then().statusCode(401).contentType("application/problem+json");
        }
    }

    @Test
    void theClockOfAnIssuerMayDifferByAMinute() {
        List<String> admin = List.of("platform-admin");
        Duration within = Duration.ofSeconds(45);
        Duration beyond = Duration.ofSeconds(90);

        with(TestIssuer.ofIssuerAhead(within, admin)).get("/v1/tenants").then().statusCode(200);
        with(TestIssuer.ended(within, admin)).get("/v1/tenants").then().statusCode(200);
        with(TestIssuer.ofIssuerAhead(beyond, admin)).get("/v1/tenants").then().statusCode(401);
        with(TestIssuer.ended(beyond, admin)).get("/v1/tenants").then().statusCode(401);
    }

    /** Generated attempts of an admin of a on resources of b, and on resources of no tenant. */
    @Test
    void whatIsAnothersCannotBeToldFromWhatIsNotThere() {
        String token = tenantAdmin("a");
        RandomGenerator random = RandomGenerator.getDefault();
        String key = RestAdmin.admin().post("/v1/tenants/b/keys").path("id");
        Map<String, Object> account = RestAdmin.account("b", RestAdmin.replica("eu-1", "taken-over", "blocks"));
        Map<String, Object> grant = Map.of("grantee", "a", "access", List.of("read", "write"));
        List<Function<Names, Response>> attempts = List.of(
                names -> with(token).get("/v1/tenants/" + names.tenant),
                names -> with(token).get("/v1/tenants/" + names.tenant + "/keys"),
                names -> with(token).get("/v1/tenants/" + names.tenant + "/keys/" + names.key),
                names -> with(token).get("/v1/tenants/" + names.tenant + "/grants"),
                names -> with(token).post("/v1/tenants/" + names.tenant + "/keys"),
                names -> with(token).post("/v1/tenants/" + names.tenant + "/keys/" + names.key + "/rotate"),
                names -> with(token).delete("/v1/tenants/" + names.tenant + "/keys/" + names.key),
                names -> with(token).get("/v1/tenants/a/keys/" + names.key),
                names -> with(token).delete("/v1/tenants/a/keys/" + names.key),
                names -> with(token).get("/v1/accounts/" + names.account),
                names -> with(token).delete("/v1/accounts/" + names.account),
                names -> with(token).post("/v1/accounts/" + names.account + "/probe"),
                names -> with(token)
                        .body(Map.of("operations", 0, "bytesPerSecond", 0))
                        .put("/v1/accounts/" + names.account + "/limits"),
                names -> with(token).get("/v1/accounts/" + names.account + "/grants"),
                names -> with(token).body(grant).put("/v1/accounts/" + names.account + "/grants/mine"),
                names -> with(token).get("/v1/accounts/" + names.account + "/placements"),
                names -> with(token).body(account).put("/v1/accounts/" + names.account),
                names -> with(token).queryParam("tenant", names.tenant).get("/v1/accounts"),
                names -> with(token).queryParam("tenant", names.tenant).get("/v1/audit"));
        List<String> told = new ArrayList<>();
        for (int i = 0; i < ATTEMPTS / 2; i++) {
            Function<Names, Response> attempt = attempts.get(random.nextInt(attempts.size()));
            String guess = "g" + Long.toString(random.nextLong() >>> 1, 36);
            Response theirs = attempt.apply(new Names("b", key, "of-b"));
            Response nobodys = attempt.apply(new Names(guess, guess, guess));

            assertThat(theirs.statusCode()).isEqualTo(404).isEqualTo(nobodys.statusCode());
            String one = theirs.asString().replaceAll(" (of-b|b|" + key + ")(?=[,\"])", " X");
            String other = nobodys.asString().replaceAll(" " + guess + "(?=[,\"])", " X");
            if (!one.equals(other)) {
                told.add(one + " / " + other);
            }
        }

        assertThat(told).isEmpty();
    }

    private record Names(String tenant, String key, String account) {}

    @Test
    void aTenantsAdminBringsAnAccountBackOnlyWhereItMayRegisterIt() {
        List<Map<String, Object>> replicas = List.of(
                Map.of("region", "eu-1", "endpoint", "file:///srv/vouched", "vouched", true),
                Map.of(
                        "region", "eu-1",
                        "endpoint", "https://vouched-a.blob.core.windows.net",
                        "container", "blocks",
                        "credential", "env:SECRET"));
        for (int i = 0; i < replicas.size(); i++) {
            String path = "/v1/accounts/brought-back-" + i;
            Map<String, Object> spec = RestAdmin.account("a", replicas.get(i));
            put(path, spec).then().statusCode(201);
            RestAdmin.admin().delete(path).then().statusCode(204);

            with(tenantAdmin("a"))
                    .body(spec)
                    .put(path)
                    .then()
                    .statusCode(400)
                    .body("errors[0].field", startsWith("replicas[0]."));
            RestAdmin.admin().get(path).then().body("state", equalTo("deleted"));
            put(path, spec).then().statusCode(201);
        }
    }

    @Test
    void whoHasSeveralRolesActsByTheFirstThatTheTokenSufficesFor() {
        // It names no tenant to be an admin of.
        with(TestIssuer.token(List.of("tenant-admin", "operator"), null))
                .body(Map.of("region", "eu-1"))
                .put("/v1/clusters/of-both-roles")
                .then()
                .statusCode(201);
        with(TestIssuer.token(List.of("tenant-admin", "viewer"), "*"))
                .get("/v1/accounts/of-b")
                .then()
                .statusCode(200);
        with(TestIssuer.token(List.of("viewer", "tenant-admin"), "a"))
                .post("/v1/tenants/a/keys")
                .then()
                .statusCode(201);
    }

    @Test
    void aTokensTenantIsATenantsNameOrEvery() {
        for (String tenant : List.of("", " ", "a\\u0000", "A", "a/b", "\\u001b[31m", "**")) {
            with(TestIssuer.token(List.of("tenant-admin", "viewer"), tenant))
                    .get("/v1/tenants")
                    .then()
                    .statusCode(401)
                    .contentType("application/problem+json");
        }
    }
}
