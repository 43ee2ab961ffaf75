package dev.kvstore.accounts.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import dev.kvstore.accounts.RunningRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@QuarkusTest
class KeysTest extends RunningRegistry {
    @Inject
    @SuppressWarnings("NullAway.Init")
    EndedKeys ended;

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
        assertThat(seen).contains(id).doesNotContain(key, key.substring(("kv_" + id + "_").length()));
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
        assertThat(end).isEqualTo(clock.instant().plus(Duration.ofSeconds(60)));
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

    @Test
    void aRotationThatIsRepeatedNamesTheKeyThatIsThereAlready() {
        tenant("repeater");
        String id = create("repeater", Map.of()).path("id");
        String next = admin().body(Map.of())
                .post("/v1/tenants/repeater/keys/" + id + "/rotate")
                .path("id");

        admin().body(Map.of())
                .post("/v1/tenants/repeater/keys/" + id + "/rotate")
                .then()
                .statusCode(409)
                .body("detail", containsString(next));
        admin().get("/v1/tenants/repeater/keys/" + id).then().body("successor", equalTo(next));
    }

    @Test
    void aTenantHasAsManyGoodKeysAsTheQuotaSays() {
        tenant("collector");
        String first = create("collector", Map.of()).path("id");
        for (int i = 1; i < 30; i++) {
            create("collector", Map.of()).then().statusCode(201);
        }

        create("collector", Map.of()).then().statusCode(409).body("detail", containsString("at most 30 keys"));

        admin().delete("/v1/tenants/collector/keys/" + first);
        create("collector", Map.of()).then().statusCode(201);
    }

    @Test
    void aTenantThatIsBroughtBackHasNoneOfItsKeys() {
        tenant("revenant");
        String id = create("revenant", Map.of()).path("id");
        admin().delete("/v1/tenants/revenant").then().statusCode(204);

        admin().header("If-None-Match", "*")
                .body(Map.of())
                .put("/v1/tenants/revenant")
                .then()
                .statusCode(201);

        admin().get("/v1/tenants/revenant/keys/" + id).then().body("revokedAt", notNullValue());
    }

    @Test
    void aRotationCountsAgainstTheQuotaUnlessTheOldKeyEndsAtOnce() {
        tenant("rotating");
        String first = create("rotating", Map.of()).path("id");
        String second = create("rotating", Map.of()).path("id");
        for (int i = 2; i < 29; i++) {
            create("rotating", Map.of()).then().statusCode(201);
        }

        rotate("rotating", first, Map.of()).then().statusCode(201);

        rotate("rotating", second, Map.of()).then().statusCode(409).body("detail", containsString("at most 30 keys"));
        rotate("rotating", second, Map.of("overlapSeconds", 0)).then().statusCode(201);
        create("rotating", Map.of()).then().statusCode(409);
    }

    private static Response rotate(String tenant, String id, Map<String, ?> spec) {
        return admin().body(spec).post("/v1/tenants/" + tenant + "/keys/" + id + "/rotate");
    }

    @Test
    void aLabelHasNoCharactersThatSteerATerminal() {
        tenant("labelled");
        for (String label : List.of("\u001b[2J", "\u009b2J", "a\u0085b", "a\u0000")) {
            create("labelled", Map.of("label", label)).then().statusCode(400).body("errors[0].field", equalTo("label"));
        }
    }

    @Test
    void anEndThatIsNoTimeMakesNoKey() {
        tenant("endless");
        for (Object end : List.of("", " ", 0, 1_893_456_000L, "1893456000", false)) {
            create("endless", Map.of("expiresAt", end))
                    .then()
                    .statusCode(400)
                    .body("errors[0].field", equalTo("expiresAt"));
        }
        admin().get("/v1/tenants/endless/keys").then().body("items.size()", equalTo(0));
    }

    @Test
    void keysThatHaveEndedCountUntilTheyAreForgotten() throws Exception {
        tenant("hoarder");
        database()
                .execute("insert into api_key (id, tenant, label, sha256, created_at, expires_at, version, lineage)"
                        + " select 'hoarded' || lpad(i::text, 8, '0'), 'hoarder', '', sha256(i::text::bytea), now(), now() - interval '1 hour', 0, ''"
                        + " from generate_series(1, 300) i");

        create("hoarder", Map.of())
                .then()
                .statusCode(409)
                .body("detail", containsString("at most 300 keys, keys that ended in the last 7 days included"));

        database().execute("update api_key set expires_at = now() - interval '8 days' where tenant = 'hoarder'");
        while (ended.forget()) {
            // Until none is left.
        }
        create("hoarder", Map.of()).then().statusCode(201);
        admin().get("/v1/tenants/hoarder/keys/hoarded00000001").then().statusCode(404);
    }

    @Test
    void aForgottenKeyNeverLivesAgain() throws Exception {
        tenant("forgetter");
        String path = "/v1/tenants/forgetter/keys/forgotten000001";
        Map<String, String> spec = Map.of("secret", "s".repeat(43));
        put(path, spec).then().statusCode(201);
        admin().delete(path).then().statusCode(204);
        database().execute("update api_key set revoked_at = now() - interval '8 days' where id = 'forgotten000001'");
        assertThat(ended.forget()).isTrue();

        put(path, spec).then().statusCode(409).body("detail", containsString("another id and a new secret"));
    }

    @Test
    void aKeyThatAGrantNamesAndOneThatHasNotEndedAreNotForgotten() throws Exception {
        tenant("granter");
        tenant("granted");
        put("/v1/accounts/granter-names-keys", account("granter", replica("eu-1", "granter-names-keys", "blocks")));
        String named = create("granted", Map.of()).path("id");
        String good = create("granted", Map.of()).path("id");
        put(
                        "/v1/accounts/granter-names-keys/grants/one",
                        Map.of("grantee", "granted", "keyId", named, "access", List.of("read")))
                .then()
                .statusCode(201);
        rotate("granted", named, Map.of("overlapSeconds", 0)).then().statusCode(201);
        database().execute("update api_key set expires_at = now() - interval '8 days' where id = '" + named + "'");

        while (ended.forget()) {
            // Until none is left.
        }

        admin().get("/v1/tenants/granted/keys/" + named).then().statusCode(200);
        admin().get("/v1/tenants/granted/keys/" + good).then().statusCode(200);
    }
}
