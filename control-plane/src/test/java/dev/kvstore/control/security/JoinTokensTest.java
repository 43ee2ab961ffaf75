package dev.kvstore.control.security;

import static dev.kvstore.control.security.JoinedFleet.admin;
import static dev.kvstore.control.security.JoinedFleet.cluster;
import static dev.kvstore.control.security.JoinedFleet.joining;
import static dev.kvstore.control.security.JoinedFleet.revoke;
import static dev.kvstore.control.security.JoinedFleet.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import com.google.protobuf.ByteString;
import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.protocol.control.v1.HeartbeatRequest;
import dev.kvstore.protocol.control.v1.LeaveRequest;
import dev.kvstore.protocol.control.v1.ReportHeatRequest;
import dev.kvstore.protocol.control.v1.ResolveRequest;
import dev.kvstore.protocol.control.v1.WatchRequest;
import dev.kvstore.protocol.control.v1.WatchResponse;
import dev.kvstore.testing.Patience;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class JoinTokensTest {
    @ConfigProperty(name = "quarkus.grpc.server.test-port")
    int grpcPort;

    @SuppressWarnings("NullAway.Init")
    private JoinedFleet fleet;

    @BeforeEach
    void connect() {
        fleet = new JoinedFleet(grpcPort);
        cluster("join-1", "join-a");
        cluster("join-2", "join-b");
    }

    @AfterEach
    void disconnect() {
        fleet.close();
    }

    static void assertRefused(Status.Code code, String why, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(StatusRuntimeException.class, e -> {
            assertThat(e.getStatus().getCode()).isEqualTo(code);
            assertThat(e.getStatus().getDescription()).contains(why);
        });
    }

    private String join(String token, String cluster, String process, String address) {
        return fleet.membership(token)
                .register(joining(cluster, process, address))
                .getLease();
    }

    @Test
    void aDataPlaneJoinsWithTheTokenOfItsCluster() {
        String token = token("join-a");

        String lease = join(token, "join-a", "p0", "10.2.0.1:1");

        var _ = fleet.membership(token)
                .heartbeat(HeartbeatRequest.newBuilder().setLease(lease).build());
        assertThat(fleet.accounts(token)
                        .resolve(unknownKey().setRegion("join-1").build())
                        .hasUnknownKey())
                .isTrue();
    }

    private static ResolveRequest.Builder unknownKey() {
        return ResolveRequest.newBuilder().setKeyId("nobodys").setKeySha256(ByteString.copyFrom(new byte[32]));
    }

    @Test
    void theSecretIsShownOnceAndKeptAsAHash() throws SQLException {
        Response made = token("join-a", Map.of("label", "rack 7", "expiresAt", "2999-01-01T00:00:00Z"));
        String secret = made.path("token");
        String id = made.path("id");

        made.then().statusCode(201).body("cluster", equalTo("join-a"));
        assertThat(secret).startsWith("kvj_" + id + "_").hasSize(60);
        admin().get("/v1/clusters/join-a/join-tokens/" + id)
                .then()
                .statusCode(200)
                .body("label", equalTo("rack 7"))
                .body("expiresAt", containsString("2999-01-01"))
                .body("lastUsedAt", nullValue())
                .body(not(containsString(secret.substring(17))));
        admin().get("/v1/clusters/join-a/join-tokens").then().body(not(containsString(secret.substring(17))));
        admin().get("/v1/audit?kind=join-token&name=" + id)
                .then()
                .body("items[0].action", equalTo("create"))
                .body("items[0].actor", equalTo("local-admin"))
                .body(not(containsString(secret.substring(17))));
        try (Connection connection = database();
                Statement statement = connection.createStatement();
                var row = statement.executeQuery("select t::text from join_token t where id = '" + id + "'")) {
            assertThat(row.next()).isTrue();
            assertThat(row.getString(1)).doesNotContain(secret.substring(17));
        }
    }

    private static Connection database() throws SQLException {
        return DriverManager.getConnection(
                TestDatabase.database().url(), TestDatabase.database().user(), "");
    }

    @Test
    void aDataPlaneJoinsWithASecretThatTheCallerChose() throws SQLException {
        String secret = "chosen-_".repeat(16);
        Response made = token("join-a", Map.of("secret", secret, "label", "chosen"));
        String id = made.path("id");

        made.then().statusCode(201).body("token", equalTo("kvj_" + id + "_" + secret));
        assertThat(join("kvj_" + id + "_" + secret, "join-a", "p5", "10.2.0.5:1"))
                .isNotEmpty();
        assertRefused(
                Status.Code.UNAUTHENTICATED,
                "join token",
                () -> join("kvj_" + id + "_" + secret.substring(1), "join-a", "p6", "10.2.0.6:1"));
        admin().get("/v1/audit?kind=join-token&name=" + id).then().body(not(containsString("chosen-_")));
        try (Connection connection = database();
                Statement statement = connection.createStatement();
                var row = statement.executeQuery("select t::text from join_token t where id = '" + id + "'")) {
            assertThat(row.next()).isTrue();
            assertThat(row.getString(1)).doesNotContain("chosen-_");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "short",
                "0123456789012345678901234567890123456789012 ",
                "01234567890123456789012345678901234567890123456789$"
            })
    void aSecretOfAnotherShapeIsRefusedAndNotQuoted(String secret) {
        token("join-a", Map.of("secret", secret))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("secret"))
                .body("errors[0].detail", containsString("43 to 128"))
                .body(not(containsString("0123456")));
        token("join-a", Map.of("secret", "x".repeat(129))).then().statusCode(400);
    }

    @Test
    void ofItsClusterAloneATokenMaySpeak() {
        String ours = token("join-a");
        String theirs = token("join-b");
        String lease = join(theirs, "join-b", "p0", "10.2.0.2:1");

        assertRefused(
                Status.Code.PERMISSION_DENIED,
                "of cluster join-a, is not for join-b/p1",
                () -> join(ours, "join-b", "p1", "10.2.0.2:2"));
        assertRefused(
                Status.Code.NOT_FOUND,
                "lease",
                () -> fleet.membership(ours)
                        .heartbeat(HeartbeatRequest.newBuilder()
                                .setLease(lease)
                                .setDraining(true)
                                .build()));
        var _ = fleet.membership(ours)
                .leave(LeaveRequest.newBuilder().setLease(lease).build());
        assertRefused(
                Status.Code.PERMISSION_DENIED,
                "lease",
                () -> fleet.warming(ours)
                        .reportHeat(
                                ReportHeatRequest.newBuilder().setLease(lease).build()));

        // Nothing of that took place.
        admin().get("/v1/clusters/join-b/processes/p0").then().body("state", equalTo("serving"));
        var _ = fleet.membership(theirs)
                .heartbeat(HeartbeatRequest.newBuilder().setLease(lease).build());
        admin().get("/v1/clusters/join-b/processes/p1").then().statusCode(404);
    }

    @Test
    void aTokenAsksForItsOwnRegion() {
        String ours = token("join-a");

        assertRefused(
                Status.Code.PERMISSION_DENIED,
                "region join-2",
                () -> fleet.accounts(ours)
                        .resolve(unknownKey().setRegion("join-2").build()));
        Iterator<WatchResponse> watch = fleet.accounts(ours)
                .watch(WatchRequest.newBuilder().setRegion("join-2").build());
        assertRefused(Status.Code.PERMISSION_DENIED, "region join-2", watch::next);
        assertThat(fleet.accounts(ours).resolve(unknownKey().build()).hasUnknownKey())
                .isTrue();
    }

    @Test
    void aRevokedTokenIsRefusedFromTheNextCallOnAndItsWatchEnds() {
        String token = token("join-a");
        String other = token("join-a");
        String lease = join(token, "join-a", "p2", "10.2.0.3:1");
        Iterator<WatchResponse> watch = fleet.accounts(token).watch(WatchRequest.getDefaultInstance());
        watch.next();

        revoke("join-a", token);

        HeartbeatRequest beat = HeartbeatRequest.newBuilder().setLease(lease).build();
        assertRefused(
                Status.Code.UNAUTHENTICATED,
                "join token",
                () -> fleet.membership(token).heartbeat(beat));
        assertRefused(Status.Code.UNAUTHENTICATED, "no longer good", () -> {
            while (true) {
                watch.next();
            }
        });
        // Tokens are changed without a gap.
        var _ = fleet.membership(other).heartbeat(beat);
        admin().get("/v1/audit?kind=join-token&name=" + token.split("_", 3)[1])
                .then()
                .body("items[0].action", equalTo("revoke"));
    }

    @Test
    void whatAnotherControlPlaneRevokesIsRefusedSoon() throws SQLException {
        String token = token("join-a");
        assertThat(fleet.accounts(token).resolve(unknownKey().build()).hasUnknownKey())
                .isTrue();

        try (Connection connection = database();
                Statement statement = connection.createStatement()) {
            statement.execute("delete from join_token where id = '" + token.split("_", 3)[1] + "'");
        }

        awaitRefused(token);
    }

    private void awaitRefused(String token) {
        await().atMost(Patience.LIMIT)
                .untilAsserted(() -> assertRefused(
                        Status.Code.UNAUTHENTICATED,
                        "join token",
                        () -> fleet.accounts(token).resolve(unknownKey().build())));
    }

    @Test
    void anExpiredTokenIsRefused() {
        String token = token("join-a", Map.of("expiresAt", Instant.now().plusSeconds(3)))
                .path("token");

        awaitRefused(token);

        token("join-a", Map.of("expiresAt", "2020-01-01T00:00:00Z"))
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("expiresAt"));
    }

    @Test
    void aTokenThatIsAlmostRightIsNone() {
        String token = token("join-a");
        String last = token.endsWith("A") ? "B" : "A";

        for (String wrong : List.of(
                token.substring(0, token.length() - 1) + last, token + "A", token.substring(0, 20), "kvj_", "")) {
            assertRefused(
                    Status.Code.UNAUTHENTICATED,
                    "join token",
                    () -> fleet.accounts(wrong).resolve(unknownKey().build()));
        }
    }

    @Test
    void withItsClusterATokenGoes() {
        cluster("join-1", "join-gone");
        String token = token("join-gone");

        admin().delete("/v1/clusters/join-gone").then().statusCode(204);

        awaitRefused(token);
    }

    @Test
    void operatorsMakeTokensAndViewersSeeThem() {
        String operator = TestIssuer.token(List.of("operator"), null);
        String viewer = TestIssuer.token(List.of("viewer"), "*");
        String path = "/v1/clusters/join-a/join-tokens";

        as(operator).body(Map.of()).post(path).then().statusCode(201);
        as(viewer).get(path).then().statusCode(200);
        as(viewer).body(Map.of()).post(path).then().statusCode(403);
        for (String tenant :
                List.of(TestIssuer.token(List.of("tenant-admin"), "a"), TestIssuer.token(List.of("viewer"), "a"))) {
            as(tenant).get(path).then().statusCode(403);
            as(tenant).body(Map.of()).post(path).then().statusCode(403);
        }
        admin().get("/v1/clusters/none/join-tokens").then().statusCode(404);
        String id = token("join-b", Map.of()).path("id");
        admin().get(path + "/" + id).then().statusCode(404);
        admin().delete(path + "/" + id).then().statusCode(404);
    }

    private static io.restassured.specification.RequestSpecification as(String token) {
        return io.restassured.RestAssured.given()
                .header("Authorization", "Bearer " + token)
                .contentType(io.restassured.http.ContentType.JSON);
    }

    @Test
    void whenATokenWasUsedLastIsShown() {
        Response made = token("join-a", Map.of());
        var _ = fleet.accounts(made.path("token")).resolve(unknownKey().build());

        await().atMost(Patience.LIMIT)
                .untilAsserted(() -> assertThat(admin().get("/v1/clusters/join-a/join-tokens/" + made.path("id"))
                                .<String>path("lastUsedAt"))
                        .isNotNull());
    }

    @Test
    void anAddressThatTheClusterDoesNotTakeIsRefused() {
        cluster(
                "join-a",
                Map.of(
                        "region", "join-1",
                        "state", "active",
                        "addresses", List.of("10.2.0.0/16:8085-8099", "*.dp.example.com")));
        try {
            String token = token("join-a");

            for (String address : List.of("10.3.0.1:8085", "10.2.0.1:8084", "evil.example.org:8085")) {
                assertRefused(
                        Status.Code.PERMISSION_DENIED,
                        "address: " + address + " is none that the cluster join-a takes, which are"
                                + " 10.2.0.0/16:8085-8099, *.dp.example.com",
                        () -> join(token, "join-a", "p9", address));
            }
            assertRefused(
                    Status.Code.PERMISSION_DENIED,
                    "remote_address: 1.2.3.4:8085",
                    () -> fleet.membership(token)
                            .register(joining("join-a", "p9", "10.2.9.1:8085").toBuilder()
                                    .setRemoteAddress("1.2.3.4:8085")
                                    .build()));
            assertThat(join(token, "join-a", "p9", "10.2.9.1:8085")).isNotEmpty();
            // One who does not speak of addresses leaves them as they are.
            cluster("join-a", Map.of("region", "join-1", "state", "active"));
            admin().get("/v1/clusters/join-a").then().body("addresses[1]", equalTo("*.dp.example.com"));
            admin().body(Map.of("address", "10.3.0.1:8085"))
                    .put("/v1/clusters/join-a/processes/p8")
                    .then()
                    .statusCode(400)
                    .body("errors[0].field", equalTo("address"));
        } finally {
            cluster("join-a", Map.of("region", "join-1", "state", "active", "addresses", List.of("*")));
        }
        admin().body(Map.of("region", "join-1", "addresses", List.of("*", "10.0.0.0/40")))
                .put("/v1/clusters/join-a")
                .then()
                .statusCode(400)
                .body("errors[0].field", equalTo("addresses[1]"));
    }
}
