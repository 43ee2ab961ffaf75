package dev.kvstore.control.transport;

import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;

import com.google.common.util.concurrent.ListenableFuture;
import com.google.protobuf.ByteString;
import dev.kvstore.accounts.key.Secrets;
import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.control.database.Database;
import dev.kvstore.protocol.control.v1.AccountServiceGrpc;
import dev.kvstore.protocol.control.v1.HeartbeatRequest;
import dev.kvstore.protocol.control.v1.MembershipServiceGrpc;
import dev.kvstore.protocol.control.v1.RegisterRequest;
import dev.kvstore.protocol.control.v1.ResolveRequest;
import dev.kvstore.protocol.control.v1.ResolveResponse;
import dev.kvstore.protocol.control.v1.WatchRequest;
import dev.kvstore.protocol.control.v1.WatchResponse;
import dev.kvstore.testing.Patience;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import io.restassured.specification.RequestSpecification;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.Socket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Masses of requests of admins, tenants and strangers take nothing from data planes. */
@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class FloodTest {
    /** As application.properties has it. */
    private static final int CONNECTIONS = 20;

    private static final String CHANGES_ONE_AT_A_TIME = "select pg_advisory_xact_lock(7743485909272520549)";

    @ConfigProperty(name = "quarkus.grpc.server.test-port")
    int grpcPort;

    @Inject
    @SuppressWarnings("NullAway.Init")
    DataSource database;

    @SuppressWarnings("NullAway.Init")
    private ManagedChannel channel;

    private final List<Connection> held = new ArrayList<>();

    @BeforeEach
    void register() {
        channel = ManagedChannelBuilder.forAddress("localhost", grpcPort)
                .usePlaintext()
                .build();
        put("/v1/regions/flood-1", Map.of());
        put("/v1/clusters/flood-1", Map.of("region", "flood-1", "state", "active"));
        put("/v1/tenants/flood", Map.of());
        account("flood");
    }

    @AfterEach
    void release() throws SQLException {
        for (Connection connection : held) {
            connection.close();
        }
        channel.shutdownNow();
    }

    private static void account(String name) {
        put(
                "/v1/accounts/" + name,
                Map.of(
                        "tenant",
                        "flood",
                        "replicas",
                        List.of(Map.of("region", "flood-1", "endpoint", "file:///" + name, "vouched", true))));
    }

    private static RequestSpecification with(String token) {
        return given().header("Authorization", "Bearer " + token).contentType(ContentType.JSON);
    }

    private static Response put(String path, Object body) {
        return with(TestDatabase.ADMIN_TOKEN).body(body).put(path);
    }

    private static String key() {
        return with(TestDatabase.ADMIN_TOKEN)
                .post("/v1/tenants/flood/keys")
                .then()
                .statusCode(201)
                .extract()
                .path("key");
    }

    private Connection hold() throws SQLException {
        Database there = TestDatabase.database();
        Connection connection = DriverManager.getConnection(there.url(), there.user(), there.password());
        connection.setAutoCommit(false);
        held.add(connection);
        return connection;
    }

    private void hold(String lock) throws SQLException {
        try (Statement statement = hold().createStatement()) {
            statement.execute(lock);
        }
    }

    /** As admins do who ask for very much. */
    private void takeAllConnections() {
        try {
            while (true) {
                held.add(database.getConnection());
            }
        } catch (SQLException e) {
            assertThat(held).hasSizeGreaterThanOrEqualTo(CONNECTIONS - 1);
        }
    }

    private static Metadata joined() {
        Metadata headers = new Metadata();
        headers.put(
                Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
                "Bearer " + TestDatabase.JOIN_TOKEN);
        return headers;
    }

    private AccountServiceGrpc.AccountServiceBlockingStub accounts() {
        return AccountServiceGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(joined()))
                .withDeadlineAfter(Patience.LIMIT);
    }

    private static ResolveRequest question(String key) {
        return ResolveRequest.newBuilder()
                .setKeyId(key.split("_", 3)[1])
                .setKeySha256(ByteString.copyFrom(Secrets.sha256(key)))
                .setRegion("flood-1")
                .build();
    }

    private boolean isKnown(String key) {
        return !accounts().resolve(question(key)).hasUnknownKey();
    }

    @Test
    void whoseRoleAllowsNoChangeIsRefusedWithoutALockOrAConnection() throws Exception {
        put("/v1/accounts/flood/grants/none", Map.of());
        String viewer = TestIssuer.token(List.of("viewer"), "flood");
        hold(CHANGES_ONE_AT_A_TIME);
        takeAllConnections();

        Map<String, Object> spec =
                Map.of("replicas", List.of(Map.of("region", "flood-1", "endpoint", "file:///flood", "vouched", true)));
        with(viewer).body(spec).put("/v1/accounts/flood").then().statusCode(403);
        with(viewer).delete("/v1/accounts/flood").then().statusCode(403);
        with(viewer)
                .body(Map.of("operations", 1, "bytesPerSecond", 1))
                .put("/v1/accounts/flood/limits")
                .then()
                .statusCode(403);
        with(viewer)
                .body(Map.of("grantee", "flood", "access", List.of("read")))
                .put("/v1/accounts/flood/grants/new")
                .then()
                .statusCode(403);
        with(viewer).delete("/v1/accounts/flood/grants/new").then().statusCode(403);
        with(viewer)
                .body(Map.of("cluster", "flood-1"))
                .put("/v1/accounts/flood/placements/flood-1")
                .then()
                .statusCode(403);
        with(viewer).post("/v1/accounts/flood/probe").then().statusCode(403);
        with(viewer).post("/v1/warmings/w-1/cancel").then().statusCode(403);
        with(viewer)
                .body(Map.of())
                .post("/v1/accounts/flood/failover/flood-1")
                .then()
                .statusCode(403);
        for (String path : List.of(
                "/v1/tenants/flood/keys",
                "/v1/accounts/flood/probe",
                "/v1/warmings/w-1/cancel",
                "/v1/clusters/flood-1/join-tokens",
                "/v1/accounts/flood/failover/flood-1")) {
            with(viewer)
                    .header("Idempotency-Key", "of-a-viewer")
                    .body(Map.of())
                    .post(path)
                    .then()
                    .statusCode(403);
        }
    }

    @Test
    void dataPlanesAreServedWhileAdminsHoldAllConnections() throws Exception {
        String key = key();
        await().atMost(Patience.LIMIT).until(() -> isKnown(key));
        Iterator<WatchResponse> watch =
                accounts().watch(WatchRequest.newBuilder().setRegion("flood-1").build());
        long begin = watch.next().getChange();
        hold(CHANGES_ONE_AT_A_TIME);
        takeAllConnections();

        assertThat(isKnown(key)).isTrue();
        MembershipServiceGrpc.MembershipServiceBlockingStub members = MembershipServiceGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(joined()))
                .withDeadlineAfter(Patience.LIMIT);
        String lease = members.register(RegisterRequest.newBuilder()
                        .setCluster("flood-1")
                        .setProcess("p1")
                        .setInstance(UUID.randomUUID().toString())
                        .setAddress("10.9.8.7:8085")
                        .setPeerToken("t".repeat(32))
                        .build())
                .getLease();
        assertThat(members.heartbeat(
                                HeartbeatRequest.newBuilder().setLease(lease).build())
                        .hasInstructions())
                .isTrue();
        try (Connection other = hold();
                Statement revoke = other.createStatement()) {
            revoke.execute("""
                    insert into change (at, actor, role, action, kind, name, key_ids, resource_names)
                    values (now(), 'somebody', 'platform-admin', 'revoke', 'key', 'k', '{k-flood}', '{}')""");
            other.commit();
        }
        await().atMost(Patience.LIMIT).until(() -> watch.next().getKeyIdsList().contains("k-flood"));
        assertThat(begin).isNotNegative();
    }

    @Test
    void madeUpKeysAreRefusedWhileTheDatabaseSaysNothingOfKeys() throws Exception {
        String good = key();
        await().atMost(Patience.LIMIT).until(() -> isKnown(good));
        hold("lock table api_key in access exclusive mode");
        AccountServiceGrpc.AccountServiceFutureStub calls = AccountServiceGrpc.newFutureStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(joined()))
                .withDeadlineAfter(Patience.LIMIT);
        AtomicInteger unknown = new AtomicInteger();
        CountDownLatch answered = new CountDownLatch(100);
        for (int i = 0; i < 400; i++) {
            ListenableFuture<ResolveResponse> answer = calls.resolve(question("kv_madeup" + i + "_secret"));
            answer.addListener(
                    () -> {
                        if (answer.state() == java.util.concurrent.Future.State.SUCCESS
                                && answer.resultNow().hasUnknownKey()) {
                            unknown.incrementAndGet();
                            answered.countDown();
                        }
                    },
                    Runnable::run);
        }

        assertThat(answered.await(Patience.LIMIT.toSeconds() / 4, TimeUnit.SECONDS))
                .isTrue();
        held.getFirst().rollback();
        String fresh = key();
        await().atMost(Patience.LIMIT).ignoreExceptions().until(() -> isKnown(fresh));
    }

    @Test
    void theDatabaseEndsWhatNobodyWaitsForBeforeTheSocketDoes() throws Exception {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            for (Map.Entry<String, String> one : Map.of(
                            "lock_timeout", "5s",
                            "statement_timeout", "15s",
                            "idle_in_transaction_session_timeout", "15s",
                            "client_connection_check_interval", "2s")
                    .entrySet()) {
                try (ResultSet row = statement.executeQuery("show " + one.getKey())) {
                    row.next();
                    assertThat(row.getString(1)).as(one.getKey()).isEqualTo(one.getValue());
                }
            }
        }
    }

    @Test
    void whoMakesChangesWaitsForOthersOnlySoLong() throws Exception {
        hold(CHANGES_ONE_AT_A_TIME);

        put("/v1/tenants/flood-waits", Map.of())
                .then()
                .statusCode(503)
                .body("detail", containsString("nothing was changed"));
    }

    @Test
    void questionsOfHeatLeaveConnectionsToOtherAdmins() throws Exception {
        for (int i = 0; i < CONNECTIONS; i++) {
            account("flood-heat-" + i);
        }
        hold("lock table heat in access exclusive mode");
        CountDownLatch over = new CountDownLatch(CONNECTIONS);
        for (int i = 0; i < CONNECTIONS; i++) {
            String path = "/v1/accounts/flood-heat-" + i + "/heat";
            var _ = Thread.startVirtualThread(() -> {
                with(TestDatabase.ADMIN_TOKEN).get(path);
                over.countDown();
            });
        }
        await().atMost(Patience.LIMIT).until(() -> waiting("heat") > 0);
        for (int i = 0; i < 20; i++) {
            with(TestDatabase.ADMIN_TOKEN).get("/v1/tenants/flood").then().statusCode(200);
            assertThat(waiting("heat")).isLessThanOrEqualTo(3);
        }

        held.getFirst().rollback();
        assertThat(over.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    /** Sessions that wait for a table; the one that merges reports may be among them. */
    private static int waiting(String table) throws SQLException {
        Database there = TestDatabase.database();
        try (Connection connection = DriverManager.getConnection(there.url(), there.user(), there.password());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select count(*) from pg_locks where not granted and relation = '" + table + "'::regclass")) {
            row.next();
            return row.getInt(1);
        }
    }

    @Test
    void aTenantHasSoManyWarmingsThatAreNotOver() throws Exception {
        put("/v1/regions/flood-2", Map.of());
        put(
                "/v1/accounts/flood-warm",
                Map.of(
                        "tenant",
                        "flood",
                        "replicas",
                        List.of(
                                Map.of("region", "flood-1", "endpoint", "file:///warm1", "vouched", true),
                                Map.of("region", "flood-2", "endpoint", "file:///warm2", "vouched", true))));
        try (Connection connection = hold();
                Statement statement = connection.createStatement()) {
            statement.execute("update replica set state = 'READY' where resource_name = 'flood-warm'");
            statement.execute("""
                    insert into warming (id, resource_name, tenant, source, target, selection, bytes_per_second,
                        requests_per_second, preheat, state, listing, created_at)
                    select 'w-flood-' || n, 'flood', 'flood', 'flood-1', 'flood-2', '{"all": true}', 100000, 1, 'STORAGE',
                        'PAUSED', false, now() from generate_series(1, 100) n""");
            connection.commit();
        }
        try {
            with(TestDatabase.ADMIN_TOKEN)
                    .body(Map.of(
                            "resourceName",
                            "flood-warm",
                            "from",
                            "flood-1",
                            "to",
                            "flood-2",
                            "select",
                            Map.of("hottestBytes", 1_000_000)))
                    .post("/v1/warmings")
                    .then()
                    .statusCode(409)
                    .body("detail", containsString("a tenant has at most 100 warmings that are not over"));
        } finally {
            try (Connection connection = hold();
                    Statement statement = connection.createStatement()) {
                statement.execute("delete from warming where tenant = 'flood'");
                connection.commit();
            }
        }
    }

    @Test
    void aMessageIsAtMostAsLargeAsItsCallNeeds() {
        ResolveRequest large = question("kv_large_x").toBuilder()
                .setResourceName("r".repeat(20_000))
                .build();

        assertThatThrownBy(() -> accounts().resolve(large)).hasMessageContaining("RESOURCE_EXHAUSTED");
    }

    @Test
    void aConnectionHasSoManyCallsAndEndsIfNobodyProvesAnything() throws Exception {
        try (Socket socket = new Socket("localhost", grpcPort)) {
            socket.setSoTimeout((int) Patience.LIMIT.toMillis());
            socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(UTF_8));
            socket.getOutputStream().write(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});
            socket.getOutputStream().flush();

            assertThat(concurrentStreams(socket)).isEqualTo(200);
            while (socket.getInputStream().read() >= 0) {
                // Until it is closed.
            }
        }
    }

    /** The value in the first frame, which has the settings. */
    private static long concurrentStreams(Socket socket) throws IOException {
        byte[] head = socket.getInputStream().readNBytes(9);
        int length = (head[0] & 0xff) << 16 | (head[1] & 0xff) << 8 | (head[2] & 0xff);
        assertThat(head[3]).isEqualTo((byte) 4);
        java.nio.ByteBuffer settings =
                java.nio.ByteBuffer.wrap(socket.getInputStream().readNBytes(length));
        long streams = -1;
        while (settings.remaining() >= 6) {
            int id = settings.getShort();
            long value = settings.getInt() & 0xffffffffL;
            if (id == 3) {
                streams = value;
            }
        }
        return streams;
    }
}
