package dev.kvstore.accounts.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import dev.kvstore.accounts.RunningRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys: the roles that may make and end them, the refusals, and the changes that data planes hear of. */
@QuarkusTest
class KeyRulesTest extends RunningRegistry {
    private static final String TENANT = "ruled";
    private static final String KEYS = "/v1/tenants/" + TENANT + "/keys";

    @BeforeEach
    void register() throws SQLException {
        tenant(TENANT);
        tenant("ruled-too");
        // Keys of the tests before count against the tenant's quota.
        database().execute("update api_key set revoked_at = now() where tenant = 'ruled' and revoked_at is null");
    }

    private static String made() {
        return admin().post(KEYS).path("id");
    }

    private static Response rotate(String id, Map<String, ?> spec) {
        return admin().body(spec).post(KEYS + "/" + id + "/rotate");
    }

    @ParameterizedTest
    @CsvSource({
        "platform-admin, 201",
        "tenant-admin@ruled, 201",
        "tenant-admin@ruled-too, 404",
        "viewer@ruled, 403",
        "viewer@*, 403",
        "operator, 403",
        "tenant-admin, 403"
    })
    void onlyAdminsOfTheTenantMakeKeys(String caller, int status) {
        as(caller).post(KEYS).then().statusCode(status);
        as(caller)
                .body(Map.of("secret", "s".repeat(43)))
                .put(KEYS + "/roles" + caller.replaceAll("[^a-z]", "") + "key")
                .then()
                .statusCode(status);
    }

    @ParameterizedTest
    @CsvSource({"tenant-admin@ruled-too, 404", "viewer@ruled, 403", "operator, 403", "tenant-admin@ruled, 204"})
    void onlyAdminsOfTheTenantRevokeAndRotateKeys(String caller, int status) {
        String id = made();

        as(caller)
                .body(Map.of("overlapSeconds", 60))
                .post(KEYS + "/" + id + "/rotate")
                .then()
                .statusCode(status == 204 ? 201 : status);
        as(caller).delete(KEYS + "/" + id).then().statusCode(status);
    }

    @ParameterizedTest
    @CsvSource({
        "tenant-admin@ruled, 200",
        "viewer@ruled, 200",
        "operator, 200",
        "viewer@*, 200",
        "viewer@ruled-too, 404"
    })
    void everybodyOfTheTenantAndOfThePlatformSeesItsKeys(String caller, int status) {
        String id = made();

        as(caller).get(KEYS).then().statusCode(status);
        as(caller).get(KEYS + "/" + id).then().statusCode(status);
    }

    @Test
    void whatAStrangerAsksForIsAnsweredLikeWhatIsNotThere() {
        String theirs = as("tenant-admin@ruled-too").get(KEYS + "/" + made()).asString();
        String none = as("tenant-admin@ruled-too")
                .get("/v1/tenants/ruled-none/keys/nosuchkeyhere")
                .asString();

        assertThat(theirs).isEqualTo(none.replace("ruled-none", TENANT)).contains("or it is not yours");
    }

    @Test
    void listsComeInPagesOfOneTenantsKeysById() {
        tenant("ruled-pages");
        for (int i = 0; i < 5; i++) {
            put("/v1/tenants/ruled-pages/keys/pagedkeypaged" + i, Map.of("secret", "s".repeat(43)))
                    .then()
                    .statusCode(201);
        }
        List<String> ids = new ArrayList<>();
        String cursor = "";
        while (cursor != null) {
            Response page =
                    admin().queryParam("limit", 2).queryParam("cursor", cursor).get("/v1/tenants/ruled-pages/keys");
            assertThat(page.<List<?>>path("items")).hasSizeLessThanOrEqualTo(2);
            ids.addAll(page.path("items.id"));
            cursor = page.path("next");
        }

        assertThat(ids)
                .containsExactly(
                        "pagedkeypaged0", "pagedkeypaged1", "pagedkeypaged2", "pagedkeypaged3", "pagedkeypaged4");
    }

    @Test
    void aTenantThatDoesNotExistHasNoKeysAndGetsNone() {
        admin().post("/v1/tenants/ruled-never/keys")
                .then()
                .statusCode(404)
                .body("detail", equalTo("there is no tenant ruled-never"));
        admin().get("/v1/tenants/ruled-never/keys/nosuchkeyhere")
                .then()
                .statusCode(404)
                .body("detail", equalTo("there is no key nosuchkeyhere"));
    }

    @Test
    void aKeysEndIsInTheFutureAndNotBeyondTheYear9999() {
        Instant now = clock.instant();
        for (String end : List.of(now.toString(), "+10000-01-01T00:00:00Z")) {
            admin().body(Map.of("expiresAt", end))
                    .post(KEYS)
                    .then()
                    .statusCode(400)
                    .body("errors[0].field", equalTo("expiresAt"));
        }

        for (String end : List.of(now.plusNanos(1_000).toString(), "9999-12-31T23:59:59Z")) {
            admin().body(Map.of("expiresAt", end)).post(KEYS).then().statusCode(201);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 2_592_001})
    void anOverlapHasBounds(long seconds) {
        rotate(made(), Map.of("overlapSeconds", seconds))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("overlapSeconds"))
                .body("errors[0].detail", equalTo("must be 0 to 2592000, which is 30 days"));
    }

    @Test
    void withoutAnOverlapTheOldKeyStaysGoodForADay() {
        String id = made();

        admin().post(KEYS + "/" + id + "/rotate").then().statusCode(201);

        String end = admin().get(KEYS + "/" + id).path("expiresAt");
        assertThat(Instant.parse(end)).isEqualTo(clock.instant().plus(Duration.ofDays(1)));
    }

    @Test
    void theNewKeyHasLabelAndEndOfTheOld() {
        String end = clock.instant().plus(Duration.ofDays(40)).toString();
        String id = admin().body(Map.of("label", "rack 7", "expiresAt", end))
                .post(KEYS)
                .path("id");

        rotate(id, Map.of("overlapSeconds", 5))
                .then()
                .statusCode(201)
                .body("label", equalTo("rack 7"))
                .body("expiresAt", equalTo(end));
    }

    @Test
    void aRotationDoesNotPutOffTheEndOfTheOldKey() {
        Instant end = clock.instant().plusSeconds(30);
        String id = admin().body(Map.of("expiresAt", end.toString())).post(KEYS).path("id");

        rotate(id, Map.of("overlapSeconds", 3_600)).then().statusCode(201);

        admin().get(KEYS + "/" + id).then().body("expiresAt", equalTo(end.toString()));
    }

    @Test
    void aKeyThatHasEndedOrWasRevokedIsNotRotated() {
        String revoked = made();
        admin().delete(KEYS + "/" + revoked);
        String ended = admin().body(
                        Map.of("expiresAt", clock.instant().plusSeconds(1).toString()))
                .post(KEYS)
                .path("id");
        clock.move(Duration.ofSeconds(1));

        for (String id : List.of(revoked, ended)) {
            rotate(id, Map.of())
                    .then()
                    .statusCode(409)
                    .body("detail", equalTo("the key " + id + " has expired or was revoked: make a new one"));
        }
    }

    @Test
    void aKeyOfAnotherTenantIsNotRotated() {
        String theirs = admin().post("/v1/tenants/ruled-too/keys").path("id");

        rotate(theirs, Map.of()).then().statusCode(404);

        admin().get("/v1/tenants/ruled-too/keys/" + theirs).then().body("successor", nullValue());
    }

    @Test
    void everyChangeOfAKeyIsToldToDataPlanes() {
        String id = made();

        assertThat(affected(() -> rotate(id, Map.of())).keyIds()).hasSize(2).contains(id);
        assertThat(affected(() -> admin().delete(KEYS + "/" + id)).keyIds()).containsExactly(id);
        assertThat(affected(() -> admin().delete(KEYS + "/" + id)).keyIds()).isEmpty();
    }

    @Test
    void theLogHasEveryChangeOfAKeyAndNoSecret() {
        Response key = as("tenant-admin@ruled").body(Map.of("label", "logged")).post(KEYS);
        String id = key.path("id");
        String next = rotate(id, Map.of()).path("id");
        admin().delete(KEYS + "/" + id);

        audit("key", id)
                .then()
                .body("items.action", equalTo(List.of("revoke", "rotate", "create")))
                .body("items.tenant", equalTo(List.of(TENANT, TENANT, TENANT)))
                .body("items[1].before.successor", nullValue())
                .body("items[1].after.successor", equalTo(next))
                .body("items[2].actor", equalTo("tenant-admin@ruled"))
                .body("items[2].after.label", equalTo("logged"));
        assertThat(audit("key", id).asString())
                .doesNotContain(key.<String>path("key").substring(17));
    }

    @Test
    void aRevocationByAnEarlierVersionIsRefused() {
        String id = made();
        String tag = admin().get(KEYS + "/" + id).header("ETag");
        rotate(id, Map.of());

        admin().header("If-Match", tag).delete(KEYS + "/" + id).then().statusCode(412);

        admin().get(KEYS + "/" + id).then().body("revokedAt", nullValue());
        admin().header("If-Match", admin().get(KEYS + "/" + id).header("ETag"))
                .delete(KEYS + "/" + id)
                .then()
                .statusCode(204);
    }

    @Test
    void aKeyIsRotatedOnceHoweverManyAskAtOnce() throws Exception {
        String id = made();

        assertThat(statuses(IntStream.range(0, 6)
                        .<Callable<Response>>mapToObj(_ -> () -> rotate(id, Map.of()))
                        .toList()))
                .containsOnly(201, 409)
                .containsOnlyOnce(201);
    }

    @Test
    void theQuotaHoldsHoweverManyAskAtOnce() throws Exception {
        tenant("ruled-crowd");
        for (int i = 0; i < 28; i++) {
            admin().post("/v1/tenants/ruled-crowd/keys").then().statusCode(201);
        }

        assertThat(statuses(IntStream.range(0, 6)
                        .<Callable<Response>>mapToObj(_ -> () -> admin().post("/v1/tenants/ruled-crowd/keys"))
                        .toList()))
                .containsOnly(201, 409)
                .filteredOn(status -> status == 201)
                .hasSize(2);
    }

    @Test
    void aPatchChangesALabelAndKeepsTheEnd() {
        String end = clock.instant().plus(Duration.ofDays(3)).toString();
        put(KEYS + "/patchedkeypatched", Map.of("secret", "s".repeat(43), "label", "a", "expiresAt", end));

        admin().contentType("application/merge-patch+json")
                .body(Map.of("label", "b"))
                .patch(KEYS + "/patchedkeypatched")
                .then()
                .statusCode(200)
                .body("label", equalTo("b"))
                .body("expiresAt", equalTo(end));
        admin().contentType("application/merge-patch+json")
                .body("{\"expiresAt\": null}")
                .patch(KEYS + "/patchedkeypatched")
                .then()
                .statusCode(200)
                .body("label", equalTo("b"))
                .body("expiresAt", nullValue());
    }

    @Test
    void aPatchCannotGiveAKeyAnotherSecret() {
        put(KEYS + "/patchedsecretkey", Map.of("secret", "s".repeat(43)));

        admin().contentType("application/merge-patch+json")
                .body(Map.of("secret", "t".repeat(43)))
                .patch(KEYS + "/patchedsecretkey")
                .then()
                .statusCode(409)
                .body("detail", containsString("has another secret"));
    }

    @Test
    void aSuspendedTenantsKeysCanBeMadeAndRevoked() {
        put("/v1/tenants/ruled-suspended", Map.of("state", "suspended"));

        String id = admin().post("/v1/tenants/ruled-suspended/keys").path("id");

        admin().delete("/v1/tenants/ruled-suspended/keys/" + id).then().statusCode(204);
    }
}
