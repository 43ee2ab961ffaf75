package dev.kvstore.control.rest;

import static dev.kvstore.control.rest.RestAdmin.admin;
import static dev.kvstore.control.rest.RestAdmin.put;
import static dev.kvstore.control.rest.RestAdmin.region;
import static dev.kvstore.control.rest.RestAdmin.tenant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A deletion also deletes the resources that belong to the deleted one, each with a change in the log, and versions do
 * not come back.
 */
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class DeletionsTest {
    @BeforeEach
    void register() {
        tenant("keeper");
        tenant("guest");
        region("eu-1");
        region("us-1");
        put("/v1/clusters/eu-1-kept", Map.of("region", "eu-1"));
        put("/v1/accounts/kept", RestAdmin.account("keeper", RestAdmin.replica("eu-1", "kept", "blocks")));
    }

    private static void delete(String path) {
        admin().delete(path).then().statusCode(204);
    }

    private static List<String> actions(String kind, String name) {
        return admin().queryParam("kind", kind)
                .queryParam("name", name)
                .get("/v1/audit")
                .path("items.action");
    }

    @Test
    void anAccountThatIsMadeAnewIsPlacedNowhereAndKeepsNoCluster() {
        Map<String, ?> spec = RestAdmin.account("keeper", RestAdmin.replica("eu-1", "again", "blocks"));
        put("/v1/clusters/eu-1-again", Map.of("region", "eu-1"));
        put("/v1/accounts/again", spec).then().statusCode(201);
        put("/v1/accounts/again/placements/eu-1", Map.of("cluster", "eu-1-again", "pinned", true))
                .then()
                .statusCode(201);

        delete("/v1/accounts/again");

        delete("/v1/clusters/eu-1-again");
        put("/v1/accounts/again", spec).then().statusCode(201);
        admin().get("/v1/accounts/again/placements").then().body("items.size()", equalTo(0));
    }

    @Test
    void eachThatAnAccountTakesAlongIsInTheLog() {
        put("/v1/accounts/logged", RestAdmin.account("keeper", RestAdmin.replica("eu-1", "logged", "blocks")));
        put("/v1/accounts/logged/grants/g", Map.of("grantee", "guest", "access", List.of("read")));
        put("/v1/accounts/logged/placements/eu-1", Map.of("cluster", "eu-1-kept"));

        delete("/v1/accounts/logged");

        assertThat(actions("grant", "logged/g")).containsExactly("revoke", "create");
        assertThat(actions("placement", "logged/eu-1")).containsExactly("delete", "create");
        assertThat(actions("account", "logged")).containsExactly("delete", "create");
    }

    @Test
    void eachThatATenantTakesAlongIsInTheLog() {
        tenant("leaving");
        String key = admin().post("/v1/tenants/leaving/keys").path("id");
        String revoked = admin().post("/v1/tenants/leaving/keys").path("id");
        delete("/v1/tenants/leaving/keys/" + revoked);
        put("/v1/accounts/kept/grants/leaving", Map.of("grantee", "leaving", "access", List.of("read")));

        delete("/v1/tenants/leaving");

        assertThat(actions("key", key)).containsExactly("revoke", "create");
        assertThat(actions("key", revoked)).containsExactly("revoke", "create");
        assertThat(actions("grant", "kept/leaving")).containsExactly("revoke", "create");
        admin().queryParam("kind", "grant")
                .queryParam("name", "kept/leaving")
                .get("/v1/audit")
                .then()
                .body("items[0].tenant", equalTo("keeper"))
                .body("items[0].before.grantee", equalTo("leaving"));
        assertThat(actions("tenant", "leaving")).containsExactly("delete", "create");
    }

    @Test
    void eachThatARegionTakesAlongIsInTheLog() {
        region("far-1");
        put("/v1/regions/far-1/round-trips/eu-1", Map.of("micros", 80_000))
                .then()
                .statusCode(201);

        delete("/v1/regions/far-1");

        assertThat(actions("round-trip", "eu-1/far-1")).containsExactly("delete", "create");
        assertThat(actions("region", "far-1")).containsExactly("delete", "create");
    }

    /** A path, the body that makes it, and by which path it is deleted. */
    @ParameterizedTest
    @ValueSource(strings = {"grant", "placement", "region", "cluster", "process", "round-trip"})
    void theEntityTagOfWhatIsGoneIsNotThatOfWhatTookItsPlace(String kind) {
        String path = switch (kind) {
            case "grant" -> "/v1/accounts/kept/grants/twice";
            case "placement" -> "/v1/accounts/kept/placements/eu-1";
            case "region" -> "/v1/regions/twice-1";
            case "cluster" -> "/v1/clusters/twice";
            case "process" -> "/v1/clusters/eu-1-kept/processes/twice";
            default -> "/v1/regions/twice-2/round-trips/eu-1";
        };
        String deleted = kind.equals("round-trip") ? "/v1/regions/twice-2" : path;
        String first = made(kind, path);
        delete(deleted);

        String second = made(kind, path);

        assertThat(second).isNotEqualTo(first);
        if (!kind.equals("round-trip")) {
            admin().header("If-Match", first).delete(path).then().statusCode(412);
            admin().header("If-Match", second).delete(path).then().statusCode(204);
        }
    }

    private static String made(String kind, String path) {
        Map<String, ?> body = switch (kind) {
            case "grant" -> Map.of("grantee", "guest", "access", List.of("read"));
            case "placement" -> Map.of("cluster", "eu-1-kept");
            case "cluster" -> Map.of("region", "eu-1");
            case "process" -> Map.of("address", "twice:8085");
            case "round-trip" -> Map.of("micros", 1_000);
            default -> Map.of();
        };
        if (kind.equals("round-trip")) {
            region("twice-2");
        }
        return put(path, body).then().statusCode(201).extract().header("ETag");
    }

    @Test
    void aTenantWithVeryManyEndedKeysAndGrantsIsDeleted() throws Exception {
        tenant("crowded");
        TestDatabase.execute("""
                insert into api_key (id, tenant, label, sha256, created_at, expires_at, version, lineage)
                select 'crowded' || lpad(i::text, 8, '0'), 'crowded', '', sha256(i::text::bytea), now(),
                    case when i > 2500 then now() end, 0, '' from generate_series(1, 21500) i""");
        TestDatabase.execute("""
                insert into account_grant (resource_name, name, grantee, reads, writes, created_at, version)
                select 'kept', 'crowded-' || i, 'crowded', true, false, now(), 0 from generate_series(1, 2500) i""");

        delete("/v1/tenants/crowded");

        admin().get("/v1/tenants/crowded").then().body("state", equalTo("deleted"));
        admin().get("/v1/accounts/kept/grants").then().body("items.size()", equalTo(0));
        admin().get("/v1/tenants/crowded/keys/crowded00000001").then().body("revokedAt", notNullValue());
        // One change for each that was good; those that had ended before stay as they were.
        assertThat(actions("key", "crowded00002500")).containsExactly("revoke");
        assertThat(actions("key", "crowded00002501")).isEmpty();
        assertThat(actions("grant", "kept/crowded-2500")).containsExactly("revoke");
    }

    @Test
    void aRegionOrClusterThatAccountsReferToCannotBeDeleted() {
        region("needed-1");
        put("/v1/clusters/needed-1-a", Map.of("region", "needed-1"));
        put("/v1/accounts/needing", RestAdmin.account("keeper", RestAdmin.replica("needed-1", "needing", "blocks")));
        put("/v1/accounts/needing/placements/needed-1", Map.of("cluster", "needed-1-a"));

        admin().delete("/v1/clusters/needed-1-a").then().statusCode(409).body("detail", containsString("placements"));

        admin().delete("/v1/accounts/needing/placements/needed-1").then().statusCode(204);
        admin().delete("/v1/clusters/needed-1-a").then().statusCode(204);
        admin().delete("/v1/regions/needed-1").then().statusCode(409).body("detail", containsString("storage"));
    }
}
