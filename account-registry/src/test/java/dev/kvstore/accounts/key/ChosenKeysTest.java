package dev.kvstore.accounts.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import dev.kvstore.accounts.RunningRegistry;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys whose id and secret the caller chooses. */
@QuarkusTest
class ChosenKeysTest extends RunningRegistry {
    private static final String SECRET = "S3cret_-".repeat(5) + "xyz";
    private static final String OTHER = "0ther_-x".repeat(5) + "xyz";
    private static final String END = "2999-01-01T00:00:00Z";

    private static String path(String tenant, String id) {
        return "/v1/tenants/" + tenant + "/keys/" + id;
    }

    private static void conflict(Response response, String detail) {
        response.then().statusCode(409).body("detail", containsString(detail));
    }

    @Test
    void isMadeAndNeverAnsweredWithItsSecret() {
        tenant("chooser");
        String path = path("chooser", "chosenmadekey");

        Response made = put(path, Map.of("label", "node 1", "expiresAt", END, "secret", SECRET));

        made.then()
                .statusCode(201)
                .header("ETag", "\"0\"")
                .body("id", equalTo("chosenmadekey"))
                .body("label", equalTo("node 1"))
                .body("expiresAt", equalTo(END));
        assertThat(made.asString()
                        + admin().get(path).asString()
                        + admin().get("/v1/tenants/chooser/keys").asString()
                        + admin().get("/v1/audit").asString())
                .contains("chosenmadekey")
                .doesNotContain(SECRET);
    }

    @Test
    void theSamePutAgainChangesNothing() {
        tenant("chooser");
        String path = path("chooser", "chosentwicekey");
        Map<String, String> body =
                Map.of("label", "a", "expiresAt", "2999-01-01T00:00:00.123456789Z", "secret", SECRET);
        Response first = put(path, body);

        Response again = put(path, body);

        first.then().statusCode(201);
        again.then().statusCode(200);
        assertThat(again.asString()).isEqualTo(first.asString());
        admin().queryParam("name", "chosentwicekey").get("/v1/audit").then().body("items.size()", equalTo(1));
    }

    @Test
    void itsLabelAndEndAreChangedWithAndWithoutItsSecret() {
        tenant("chooser");
        String path = path("chooser", "chosenlabelkey");
        put(path, Map.of("expiresAt", END, "secret", SECRET));

        put(path, Map.of("label", "b", "secret", SECRET))
                .then()
                .statusCode(200)
                .body("label", equalTo("b"))
                .body("expiresAt", nullValue());
        put(path, Map.of("label", "c", "expiresAt", END))
                .then()
                .statusCode(200)
                .body("label", equalTo("c"))
                .body("expiresAt", equalTo(END))
                .body("version", equalTo(2));
    }

    @Test
    void aHashOfTheWholeKeyIsAsGoodAsItsSecret() throws Exception {
        tenant("chooser");
        String path = path("chooser", "chosenhashkey1");
        String key = "kv_chosenhashkey1_" + SECRET;
        String hash = HexFormat.of()
                .formatHex(java.security.MessageDigest.getInstance("SHA-256")
                        .digest(key.getBytes(java.nio.charset.StandardCharsets.US_ASCII)));

        put(path, Map.of("sha256", hash)).then().statusCode(201);

        put(path, Map.of("sha256", hash.toUpperCase(java.util.Locale.ROOT)))
                .then()
                .statusCode(200);
        put(path, Map.of("secret", SECRET)).then().statusCode(200);
        conflict(put(path, Map.of("secret", OTHER)), "another secret");
    }

    @Test
    void theDatabaseKeepsNothingButTheHash() throws SQLException {
        tenant("chooser");
        put(path("chooser", "chosenkeptkey"), Map.of("secret", SECRET)).then().statusCode(201);

        assertThat(database().text("""
                        select (select string_agg(k::text, ' ') from api_key k) || (select string_agg(c::text, ' ') from change c)""")).contains("chosenkeptkey").doesNotContain(SECRET);
    }

    @Test
    void anIdWithAnotherSecretIsAConflictThatChangesNothing() {
        tenant("chooser");
        String path = path("chooser", "chosenotherkey");
        put(path, Map.of("label", "first", "secret", SECRET));

        conflict(put(path, Map.of("label", "second", "secret", OTHER)), "another secret");

        admin().get(path).then().body("label", equalTo("first")).body("version", equalTo(0));
    }

    @Test
    void anIdOfAnotherTenantIsTaken() {
        tenant("chooser");
        tenant("latecomer");
        put(path("chooser", "chosentakenkey"), Map.of("secret", SECRET)).then().statusCode(201);

        conflict(put(path("latecomer", "chosentakenkey"), Map.of("secret", SECRET)), "is taken");

        admin().get(path("latecomer", "chosentakenkey")).then().statusCode(404);
    }

    @Test
    void aRevokedKeyStaysRevoked() {
        tenant("chooser");
        String path = path("chooser", "chosenrevokedkey");
        put(path, Map.of("secret", SECRET));
        admin().delete(path).then().statusCode(204);

        conflict(put(path, Map.of("secret", SECRET)), "was revoked");
    }

    @Test
    void aPreconditionThatDoesNotHoldChangesNothing() {
        tenant("chooser");
        String path = path("chooser", "chosenpreconditions");
        Map<String, String> body = Map.of("secret", SECRET);
        admin().header("If-Match", "*").body(body).put(path).then().statusCode(412);
        admin().header("If-None-Match", "*").body(body).put(path).then().statusCode(201);
        admin().header("If-None-Match", "*").body(body).put(path).then().statusCode(412);
        admin().header("If-Match", "\"7\"").body(body).put(path).then().statusCode(412);
        admin().header("If-Match", "\"0\"")
                .body(Map.of("label", "new"))
                .put(path)
                .then()
                .statusCode(200);
    }

    @Test
    void aNewKeyHasOneOfSecretAndHash() {
        tenant("chooser");
        String path = path("chooser", "chosenneither");

        put(path, Map.of("label", "x")).then().statusCode(400).body("errors[0].field", equalTo("secret"));
        put(path, Map.of("secret", SECRET, "sha256", "0".repeat(64)))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("sha256"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "short",
                "with-a-hyphen-in-it",
                "with_an_underscore",
                "UPPERCASEKEY",
                "a123456789012345678901234567890123456789b"
            })
    void anIdIs12To40LettersAndDigits(String id) {
        tenant("chooser");
        put(path("chooser", id), Map.of("secret", SECRET))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("key"));
    }

    @Test
    void aSecretThatIsNoneIsRefusedAndNotRepeated() {
        tenant("chooser");
        for (String secret : List.of("tooshort", "x".repeat(129), "with space ".repeat(5), "ümlaut".repeat(8))) {
            String told = put(path("chooser", "chosenbadsecret"), Map.of("secret", secret))
                    .then()
                    .statusCode(400)
                    .body("errors[0].field", equalTo("secret"))
                    .extract()
                    .asString();
            assertThat(told).doesNotContain(secret);
        }
    }

    @Test
    void anEndThatHasComeIsNoneForANewKey() {
        tenant("chooser");
        put(path("chooser", "chosenpastkey"), Map.of("secret", SECRET, "expiresAt", "2020-01-01T00:00:00Z"))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("expiresAt"));
    }

    @Test
    void aKeyCountsAgainstTheQuota() {
        tenant("chooser-of-many");
        for (int i = 10; i < 40; i++) {
            put(path("chooser-of-many", "chosenmany" + i), Map.of("secret", SECRET))
                    .then()
                    .statusCode(201);
        }

        conflict(put(path("chooser-of-many", "chosenmany40"), Map.of("secret", SECRET)), "at most 30 keys");
        // One that is there is none more.
        put(path("chooser-of-many", "chosenmany10"), Map.of("label", "x", "secret", SECRET))
                .then()
                .statusCode(200);
    }

    @Test
    void aKeyThatWasRotatedAwayNeverLivesAgain() {
        tenant("chooser");
        String path = path("chooser", "chosenleakedkey");
        Map<String, String> spec = Map.of("label", "node", "secret", SECRET);
        put(path, spec).then().statusCode(201);
        admin().body(Map.of("overlapSeconds", 0)).post(path + "/rotate").then().statusCode(201);
        String ended = admin().get(path).path("expiresAt");

        conflict(put(path, spec), "never lives again: make a key with another id and a new secret");
        conflict(put(path, Map.of("label", "node", "expiresAt", END)), "never lives again");
        conflict(put(path, Map.of("label", "node")), "never lives again");

        admin().get(path).then().body("expiresAt", equalTo(ended));
    }

    @Test
    void aKeyThatIsBeingReplacedKeepsItsEnd() {
        tenant("chooser");
        String path = path("chooser", "chosenrotatedkey");
        Map<String, String> spec = Map.of("label", "node", "secret", SECRET);
        put(path, spec).then().statusCode(201);
        admin().body(Map.of()).post(path + "/rotate").then().statusCode(201);
        String end = admin().get(path).path("expiresAt");
        assertThat(end).isNotNull();

        put(path, spec).then().statusCode(200).body("expiresAt", equalTo(end));
        put(path, Map.of("label", "new", "expiresAt", END))
                .then()
                .statusCode(200)
                .body("label", equalTo("new"))
                .body("expiresAt", equalTo(end));
    }

    @Test
    void aKeyThatExpiredNeverLivesAgain() throws SQLException {
        tenant("chooser");
        String path = path("chooser", "chosenexpiredkey");
        put(path, Map.of("secret", SECRET)).then().statusCode(201);
        database().execute("update api_key set expires_at = '2026-01-01Z' where id = 'chosenexpiredkey'");

        conflict(put(path, Map.of("secret", SECRET)), "ended at 2026-01-01T00:00:00Z, and never lives again");
        // The same request again, whose answer was lost, changes nothing.
        put(path, Map.of("secret", SECRET, "expiresAt", "2026-01-01T00:00:00Z"))
                .then()
                .statusCode(200);
    }
}
