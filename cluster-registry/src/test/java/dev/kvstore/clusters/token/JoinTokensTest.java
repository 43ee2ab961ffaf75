package dev.kvstore.clusters.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import dev.kvstore.clusters.RunningRegistry;
import dev.kvstore.clusters.TokenChanges;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Join tokens: made, shown without their secrets, revoked, and read for the authentication of data planes. */
@QuarkusTest
class JoinTokensTest extends RunningRegistry {
    private static final String CLUSTER = "tokens-a";
    private static final String TOKENS = "/v1/clusters/" + CLUSTER + "/join-tokens";

    @Inject
    @SuppressWarnings("NullAway.Init")
    TokenChanges told;

    @BeforeEach
    void register() throws SQLException {
        cluster("tokens", CLUSTER);
        cluster("tokens", "tokens-b");
        database().execute("delete from join_token");
    }

    private static Response make(String cluster, Map<String, ?> spec) {
        return admin().body(spec).post("/v1/clusters/" + cluster + "/join-tokens");
    }

    private static TokenReader reader() {
        return new TokenReader(database().source());
    }

    private static TokenReader.KnownToken known(JoinTokenText token) throws SQLException {
        return Objects.requireNonNull(reader().all().tokens().get(token.id()));
    }

    private static JoinTokenText text(Response made) {
        return JoinTokenText.of(made.path("token")).orElseThrow();
    }

    @Test
    void aTokenIsShownOnceAndNeverAgain() throws Exception {
        String end = clock.instant().plus(Duration.ofDays(1)).toString();
        Response made = make(CLUSTER, Map.of("label", "rack 7", "expiresAt", end));

        made.then()
                .statusCode(201)
                .body("token", matchesPattern("kvj_[a-z0-9]{12}_[A-Za-z0-9_-]{43}"))
                .body("cluster", equalTo(CLUSTER))
                .body("label", equalTo("rack 7"))
                .body("expiresAt", equalTo(end));
        String secret = made.<String>path("token").substring(17);
        String id = made.path("id");
        admin().get(TOKENS + "/" + id)
                .then()
                .statusCode(200)
                .body("id", equalTo(id))
                .body("label", equalTo("rack 7"))
                .body("expiresAt", equalTo(end))
                .body("lastUsedAt", nullValue());
        assertThat(admin().get(TOKENS).asString()
                        + admin().get(TOKENS + "/" + id).asString()
                        + admin().get("/v1/audit").asString()
                        + database().text("select string_agg(t::text, ' ') from join_token t"))
                .contains(id)
                .doesNotContain(secret);
    }

    @Test
    void withoutABodyATokenHasNoLabelAndNoEnd() {
        admin().post(TOKENS).then().statusCode(201).body("label", equalTo("")).body("expiresAt", nullValue());
    }

    @Test
    void aCallerMayChooseTheSecret() throws Exception {
        String secret = "chosen-_".repeat(16);

        Response made = make(CLUSTER, Map.of("secret", secret));

        made.then().statusCode(201).body("token", equalTo("kvj_" + made.path("id") + "_" + secret));
        assertThat(known(text(made)).isOf(text(made))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "short",
                "0123456789012345678901234567890123456789012 ",
                "ü123456789012345678901234567890123456789012"
            })
    void aSecretOfAnotherShapeIsRefusedAndNotRepeated(String secret) {
        make(CLUSTER, Map.of("secret", secret))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("secret"))
                .body("errors[0].detail", containsString("43 to 128"))
                .body(not(containsString("0123456")));
        make(CLUSTER, Map.of("secret", "x".repeat(129))).then().statusCode(400);
    }

    @Test
    void anEndIsInTheFutureAndALabelHasNoControlCharacters() {
        make(CLUSTER, Map.of("expiresAt", clock.instant().toString()))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("expiresAt"))
                .body("errors[0].detail", equalTo("must be in the future, and not after the year 9999"));
        make(CLUSTER, Map.of("expiresAt", clock.instant().plusNanos(1_000).toString()))
                .then()
                .statusCode(201);
        for (String label : List.of("l".repeat(201), "a\u009bb")) {
            make(CLUSTER, Map.of("label", label)).then().statusCode(400).body("errors[0].field", equalTo("label"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "platform-admin, 201, 204",
        "operator, 201, 204",
        "operator@acme, 403, 403",
        "tenant-admin@acme, 403, 403",
        "viewer@*, 403, 403"
    })
    void onlyOperatorsOfThePlatformMakeAndRevokeTokens(String caller, int made, int revoked) {
        String id = make(CLUSTER, Map.of()).path("id");

        as(caller).body(Map.of()).post(TOKENS).then().statusCode(made);
        as(caller).delete(TOKENS + "/" + id).then().statusCode(revoked);
    }

    @ParameterizedTest
    @CsvSource({"viewer@*, 200", "operator, 200", "viewer@acme, 403", "tenant-admin@acme, 403"})
    void onlyCallersOfThePlatformSeeTokens(String caller, int status) {
        String id = make(CLUSTER, Map.of()).path("id");

        as(caller).get(TOKENS).then().statusCode(status);
        as(caller).get(TOKENS + "/" + id).then().statusCode(status);
    }

    @Test
    void aTokenIsThatOfItsClusterAlone() {
        String id = make("tokens-b", Map.of()).path("id");

        admin().get(TOKENS + "/" + id).then().statusCode(404).body("detail", equalTo("there is no join-token " + id));
        admin().delete(TOKENS + "/" + id).then().statusCode(404);
        admin().get(TOKENS).then().body("items.id", not(hasItem(id)));
        admin().get("/v1/clusters/tokens-b/join-tokens/" + id).then().statusCode(200);
    }

    @Test
    void aClusterThatDoesNotExistHasNoTokens() {
        for (Response answer : List.of(
                admin().get("/v1/clusters/tokens-never/join-tokens"),
                admin().post("/v1/clusters/tokens-never/join-tokens"))) {
            answer.then().statusCode(404).body("detail", equalTo("there is no cluster tokens-never"));
        }
    }

    @Test
    void aClusterHasUpTo100TokensExpiredOnesIncluded() throws Exception {
        database().execute("""
                insert into join_token (id, cluster, label, sha256, created_at, expires_at, version)
                select 'token' || lpad(i::text, 7, '0'), 'tokens-a', '', sha256(i::text::bytea), now(),
                    case when i > 50 then timestamptz '2020-01-01Z' end, 0 from generate_series(1, 99) i""");
        make(CLUSTER, Map.of()).then().statusCode(201);

        make(CLUSTER, Map.of())
                .then()
                .statusCode(409)
                .body("detail", containsString("tokens-a has 100 join tokens, the most that a cluster may have"));
        make("tokens-b", Map.of()).then().statusCode(201);
        admin().delete(TOKENS + "/token0000099").then().statusCode(204);
        make(CLUSTER, Map.of()).then().statusCode(201);
    }

    @Test
    void theBoundHoldsHoweverManyAskAtOnce() throws Exception {
        database().execute("""
                insert into join_token (id, cluster, label, sha256, created_at, version)
                select 'token' || lpad(i::text, 7, '0'), 'tokens-a', '', sha256(i::text::bytea), now(), 0
                from generate_series(1, 98) i""");

        assertThat(statuses(IntStream.range(0, 6)
                        .<Callable<Response>>mapToObj(_ -> () -> make(CLUSTER, Map.of()))
                        .toList()))
                .containsOnly(201, 409)
                .filteredOn(status -> status == 201)
                .hasSize(2);
    }

    @Test
    void aRevokedTokenIsGone() throws Exception {
        Response made = make(CLUSTER, Map.of("label", "gone"));
        String id = made.path("id");

        admin().delete(TOKENS + "/" + id).then().statusCode(204);

        admin().get(TOKENS + "/" + id).then().statusCode(404);
        admin().delete(TOKENS + "/" + id).then().statusCode(404);
        assertThat(reader().all().tokens()).doesNotContainKey(id);
        audit("join-token", id)
                .then()
                .body("items.action", equalTo(List.of("revoke", "create")))
                .body("items[0].before.label", equalTo("gone"))
                .body("items[0].after", nullValue());
    }

    @Test
    void aRevocationByAnotherVersionIsRefused() {
        String id = make(CLUSTER, Map.of()).path("id");

        admin().header("If-Match", "\"7\"").delete(TOKENS + "/" + id).then().statusCode(412);

        admin().header("If-Match", admin().get(TOKENS + "/" + id).header("ETag"))
                .delete(TOKENS + "/" + id)
                .then()
                .statusCode(204);
    }

    @Test
    void thisProcessIsToldOfTokensThatAreMadeAndRevoked() {
        var _ = told.taken();

        String id = make(CLUSTER, Map.of()).path("id");
        admin().delete(TOKENS + "/" + id);
        admin().delete(TOKENS + "/" + id);

        assertThat(told.taken()).containsExactly(new JoinTokensChanged(Set.of()), new JoinTokensChanged(Set.of(id)));
    }

    @Test
    void listsComeInPagesById() {
        for (int i = 0; i < 5; i++) {
            make(CLUSTER, Map.of()).then().statusCode(201);
        }

        assertThat(listed(TOKENS, "id")).hasSize(5).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void aReaderKnowsEachTokenWithItsClusterRegionAndEnd() throws Exception {
        Instant end = clock.instant().plus(Duration.ofDays(1));
        JoinTokenText token = text(make(CLUSTER, Map.of("expiresAt", end.toString())));
        JoinTokenText other = text(make("tokens-b", Map.of()));

        TokenReader.KnownToken known = known(token);

        assertThat(known.cluster()).isEqualTo(CLUSTER);
        assertThat(known.region()).isEqualTo("tokens");
        assertThat(known.expiresAt()).isEqualTo(end);
        assertThat(known.isOf(token)).isTrue();
        assertThat(known.isOf(other)).isFalse();
        assertThat(known.isGood(end.minusNanos(1))).isTrue();
        assertThat(known.isGood(end)).isFalse();
        assertThat(known(other).isGood(Instant.MAX)).isTrue();
        assertThat(reader().all().regions()).containsEntry(CLUSTER, "tokens").containsEntry("tokens-b", "tokens");
    }

    @Test
    void aUseIsShownAndIsNoChange() throws Exception {
        String id = make(CLUSTER, Map.of()).path("id");
        String unused = make(CLUSTER, Map.of()).path("id");
        String tag = admin().get(TOKENS + "/" + id).header("ETag");

        reader().used(List.of(id, "nosuchtoken0"));

        admin().get(TOKENS + "/" + id).then().header("ETag", tag).body("lastUsedAt", notNullValue());
        admin().get(TOKENS + "/" + unused).then().body("lastUsedAt", nullValue());
        admin().delete(TOKENS + "/" + id);
        audit("join-token", id).then().body("items[0].before.lastUsedAt", nullValue());
    }

    @Test
    void withItsClusterATokenGoes() throws Exception {
        cluster("tokens", "tokens-gone");
        String id = make("tokens-gone", Map.of()).path("id");

        admin().delete("/v1/clusters/tokens-gone").then().statusCode(204);

        assertThat(reader().all().tokens()).doesNotContainKey(id);
        assertThat(reader().all().regions()).doesNotContainKey("tokens-gone");
    }
}
