package dev.kvstore.control.rest;

import static dev.kvstore.control.rest.Admin.admin;
import static dev.kvstore.control.rest.Admin.put;
import static dev.kvstore.control.rest.Admin.tenant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class KeysTest {
    private static Response create(String tenant, Map<String, ?> spec) {
        return admin().body(spec).post("/v1/tenants/" + tenant + "/keys");
    }

    @Test
    void aKeyIsShownOnceAndNeverAgain() {
        tenant("key-owner");

        Response made = create("key-owner", Map.of("label", "node 1"));

        made.then().statusCode(201).body("key", matchesPattern("kv_[a-z0-9]{12}_[A-Za-z0-9_-]{43}"));
        String id = made.path("id");
        String key = made.path("key");
        assertThat(key).startsWith("kv_" + id + "_");
        String seen = admin().get("/v1/tenants/key-owner/keys/" + id).asString()
                + admin().get("/v1/tenants/key-owner/keys").asString()
                + admin().get("/v1/audit").asString();
        assertThat(seen).contains(id).doesNotContain(key, key.substring(key.lastIndexOf('_') + 1));
    }

    @Test
    void aRevokedKeyStaysVisible() {
        tenant("revoker");
        String id = create("revoker", Map.of()).path("id");

        admin().delete("/v1/tenants/revoker/keys/" + id).then().statusCode(204);

        admin().get("/v1/tenants/revoker/keys/" + id).then().body("revokedAt", notNullValue());
        admin().delete("/v1/tenants/revoker/keys/" + id).then().statusCode(204);
    }

    @Test
    void rotationMakesAKeyAndEndsTheOldOneAfterTheOverlap() {
        tenant("rotator");
        Response old = create("rotator", Map.of("label", "prod"));
        String id = old.path("id");

        Response next = admin().body(Map.of("overlapSeconds", 60)).post("/v1/tenants/rotator/keys/" + id + "/rotate");

        next.then()
                .statusCode(201)
                .body("label", equalTo("prod"))
                .body("key", not(equalTo(old.<String>path("key"))))
                .body("expiresAt", nullValue());
        Instant end =
                Instant.parse(admin().get("/v1/tenants/rotator/keys/" + id).path("expiresAt"));
        assertThat(end).isBetween(Instant.now(), Instant.now().plus(Duration.ofSeconds(61)));
    }

    @Test
    void aKeyEndsInTheFuture() {
        tenant("past");

        create("past", Map.of("expiresAt", "2020-01-01T00:00:00Z"))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("expiresAt"));
    }

    @Test
    void aKeyOfAnotherTenantIsNotFoundThere() {
        tenant("one");
        tenant("other");
        String id = create("one", Map.of()).path("id");

        admin().get("/v1/tenants/other/keys/" + id).then().statusCode(404);
        admin().delete("/v1/tenants/other/keys/" + id).then().statusCode(404);
    }

    @Test
    void aDeletedTenantGetsNoKeys() {
        put("/v1/tenants/ended", Map.of());
        admin().delete("/v1/tenants/ended");

        create("ended", Map.of()).then().statusCode(404);
    }
}
