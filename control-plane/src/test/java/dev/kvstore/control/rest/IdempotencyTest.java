package dev.kvstore.control.rest;

import static dev.kvstore.control.rest.RestAdmin.admin;
import static dev.kvstore.control.rest.RestAdmin.put;
import static dev.kvstore.control.rest.RestAdmin.region;
import static dev.kvstore.control.rest.RestAdmin.tenant;
import static dev.kvstore.control.rest.RestAdmin.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import dev.kvstore.admin.repeat.KeptAnswers;
import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.control.database.Database;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A POST with the same Idempotency-Key again is answered as the first one, which alone changes something. */
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class IdempotencyTest {
    private static final String HEADER = "Idempotency-Key";
    private static final String REPLAYED = "Idempotency-Replayed";

    @Inject
    @SuppressWarnings("NullAway.Init")
    KeptAnswers answers;

    private static Response post(String key, String path, Map<String, ?> body) {
        return admin().header(HEADER, key).body(body).post(path);
    }

    private static void sameAgain(Response first, Response again) {
        assertThat(first.statusCode()).isBetween(200, 299);
        first.then().header(REPLAYED, nullValue());
        again.then().statusCode(first.statusCode()).header(REPLAYED, "true");
        assertThat(again.asString()).isEqualTo(first.asString());
        assertThat(again.contentType()).isEqualTo(first.contentType());
    }

    private static int keys(String tenant) {
        return admin().get("/v1/tenants/" + tenant + "/keys").path("items.size()");
    }

    private static void execute(String statement) throws SQLException {
        try (Connection connection = connection();
                Statement command = connection.createStatement()) {
            command.execute(statement);
        }
    }

    private static Connection connection() throws SQLException {
        Database database = TestDatabase.database();
        return DriverManager.getConnection(database.url(), database.user(), database.password());
    }

    private static String text(String query) throws SQLException {
        try (Connection connection = connection();
                Statement command = connection.createStatement();
                ResultSet row = command.executeQuery(query)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }

    @Test
    void aKeyIsMadeOnceAndShownAgain() {
        tenant("idem-maker");
        String path = "/v1/tenants/idem-maker/keys";

        Response first = post("make-1", path, Map.of("label", "a"));

        sameAgain(first, post("make-1", path, Map.of("label", "a")));
        assertThat(first.<String>path("key")).startsWith("kv_");
        assertThat(keys("idem-maker")).isEqualTo(1);
        // Another request.
        post("make-2", path, Map.of("label", "a")).then().statusCode(201).header(REPLAYED, nullValue());
        assertThat(keys("idem-maker")).isEqualTo(2);
    }

    @Test
    void aRotationIsMadeOnce() {
        tenant("idem-rotator");
        String id = post("to-rotate", "/v1/tenants/idem-rotator/keys", Map.of()).path("id");
        String path = "/v1/tenants/idem-rotator/keys/" + id + "/rotate";

        sameAgain(post("rotate-1", path, Map.of()), post("rotate-1", path, Map.of()));

        post("rotate-2", path, Map.of()).then().statusCode(409);
    }

    @Test
    void aJoinTokenIsMadeOnce() {
        region("eu-1");
        put("/v1/clusters/idem-cluster", Map.of("region", "eu-1", "state", "active"));
        String path = "/v1/clusters/idem-cluster/join-tokens";

        sameAgain(post("join-1", path, Map.of()), post("join-1", path, Map.of()));

        admin().get(path).then().body("items.size()", equalTo(1));
        // With a secret of the caller's, too; another secret is another request.
        Map<String, String> chosen = Map.of("secret", "s".repeat(43));
        sameAgain(post("join-2", path, chosen), post("join-2", path, chosen));
        post("join-2", path, Map.of("secret", "t".repeat(43))).then().statusCode(422);
        admin().get(path).then().body("items.size()", equalTo(2));
    }

    @Test
    void anAnswerWithoutABodyIsRepeatedToo() {
        tenant("idem-prober");
        region("eu-1");
        put(
                        "/v1/accounts/idem-probed",
                        RestAdmin.account("idem-prober", RestAdmin.replica("eu-1", "idem-probed", "blocks")))
                .then()
                .statusCode(201);

        sameAgain(
                post("probe-1", "/v1/accounts/idem-probed/probe", Map.of()),
                post("probe-1", "/v1/accounts/idem-probed/probe", Map.of()));
    }

    @Test
    void anotherBodyOrPathIsRefusedAndChangesNothing() {
        tenant("idem-other");
        tenant("idem-other-2");
        post("other-1", "/v1/tenants/idem-other/keys", Map.of("label", "a"))
                .then()
                .statusCode(201);

        post("other-1", "/v1/tenants/idem-other/keys", Map.of("label", "b"))
                .then()
                .statusCode(422)
                .contentType("application/problem+json")
                .body("type", equalTo("urn:kvstore:problem:key-reused"));
        post("other-1", "/v1/tenants/idem-other-2/keys", Map.of("label", "a"))
                .then()
                .statusCode(422);
        assertThat(keys("idem-other")).isEqualTo(1);
        assertThat(keys("idem-other-2")).isZero();
    }

    @Test
    void theKeyOfAnotherCallerIsAnotherKey() {
        tenant("idem-shared");
        String path = "/v1/tenants/idem-shared/keys";
        Response first = post("shared-1", path, Map.of());

        Response others = with(TestIssuer.token(List.of("tenant-admin"), "idem-shared"))
                .header(HEADER, "shared-1")
                .body(Map.of())
                .post(path);

        others.then().statusCode(201).header(REPLAYED, nullValue());
        assertThat(others.<String>path("key")).isNotEqualTo(first.path("key"));
    }

    @Test
    void aRequestThatWasRefusedMayBeMadeRight() {
        tenant("idem-refused");
        String path = "/v1/tenants/idem-refused/keys";
        post("refused-1", path, Map.of("expiresAt", "2020-01-01T00:00:00Z"))
                .then()
                .statusCode(400);

        post("refused-1", path, Map.of()).then().statusCode(201).header(REPLAYED, nullValue());
    }

    @Test
    void ofThoseThatComeAtOnceOneChangesSomething() throws Exception {
        tenant("idem-crowd");
        Set<String> told = new HashSet<>();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Response>> all = callers.invokeAll(IntStream.range(0, 8)
                    .mapToObj(_ -> (Callable<Response>)
                            () -> post("crowd-1", "/v1/tenants/idem-crowd/keys", Map.of("label", "one")))
                    .toList());
            for (Future<Response> answer : all) {
                answer.get().then().statusCode(201);
                told.add(answer.get().asString());
            }
        }

        assertThat(told).hasSize(1);
        assertThat(keys("idem-crowd")).isEqualTo(1);
    }

    @Test
    void theDatabaseHoldsNeitherSecretNorIdempotencyKey() throws SQLException {
        tenant("idem-secret");
        String path = "/v1/tenants/idem-secret/keys";
        Response made = post("a-key-that-nobody-keeps", path, Map.of("label", "no-secret-of-mine"));
        String secret = made.<String>path("key").substring(16);

        String kept = text("select string_agg(encode(sealed, 'escape') || encode(fingerprint, 'escape')"
                + " || encode(id, 'escape') || caller, ' ') from kept_answer");

        assertThat(kept)
                .contains("platform-admin * local-admin")
                .doesNotContain(secret, "a-key-that-nobody-keeps", "no-secret-of-mine");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "with space", "ümlaut"})
    void whatIsNoKeyIsRefused(String key) {
        tenant("idem-bad");
        post(key, "/v1/tenants/idem-bad/keys", Map.of())
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo(HEADER));
    }

    @Test
    void aKeyHas128CharactersAtMost() {
        tenant("idem-long");
        post("x".repeat(128), "/v1/tenants/idem-long/keys", Map.of()).then().statusCode(201);
        post("x".repeat(129), "/v1/tenants/idem-long/keys", Map.of()).then().statusCode(400);
    }

    @Test
    void afterADayItIsForgotten() throws SQLException {
        tenant("idem-late");
        String path = "/v1/tenants/idem-late/keys";
        post("late-1", path, Map.of());
        post("late-2", path, Map.of());
        execute("update kept_answer set at = at - interval '24 hours' where caller = 'platform-admin * local-admin'");

        post("late-1", path, Map.of("label", "of the next day"))
                .then()
                .statusCode(201)
                .header(REPLAYED, nullValue());
        assertThat(keys("idem-late")).isEqualTo(3);
        assertThat(answers.forget()).isFalse();

        assertThat(text("select count(*) from kept_answer where at < now() - interval '23 hours'"))
                .isEqualTo("0");
        // The one that was made anew is kept.
        post("late-1", path, Map.of("label", "of the next day")).then().header(REPLAYED, "true");
    }

    @Test
    void aCallerHasARoomForSoMany() throws SQLException {
        tenant("idem-full");
        String token = TestIssuer.token(List.of("tenant-admin"), "idem-full");
        execute("""
                insert into kept_answer select sha256(i::text::bytea), 'tenant-admin idem-full somebody@example.net', '', 201, '', now()
                from generate_series(1, 10000) i""");

        with(token)
                .header(HEADER, "full-1")
                .body(Map.of())
                .post("/v1/tenants/idem-full/keys")
                .then()
                .statusCode(429)
                .body("detail", containsString("send this one without"));
        with(token).body(Map.of()).post("/v1/tenants/idem-full/keys").then().statusCode(201);
        post("full-1", "/v1/tenants/idem-full/keys", Map.of()).then().statusCode(201);
    }
}
