package dev.kvstore.control.route;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.protocol.control.v1.Capacity;
import dev.kvstore.protocol.control.v1.GetRouteRequest;
import dev.kvstore.protocol.control.v1.HeartbeatRequest;
import dev.kvstore.protocol.control.v1.Load;
import dev.kvstore.protocol.control.v1.MembershipServiceGrpc;
import dev.kvstore.protocol.control.v1.Reason;
import dev.kvstore.protocol.control.v1.RegisterRequest;
import dev.kvstore.protocol.control.v1.Route;
import dev.kvstore.protocol.control.v1.RouteServiceGrpc;
import dev.kvstore.protocol.control.v1.Target;
import dev.kvstore.testing.Patience;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class RouteCallsTest {
    private static final Duration PATIENCE = Patience.LIMIT;

    @ConfigProperty(name = "quarkus.grpc.server.test-port")
    int grpcPort;

    @Inject
    @SuppressWarnings("NullAway.Init")
    DataSource database;

    @SuppressWarnings("NullAway.Init")
    private ManagedChannel channel;

    @BeforeEach
    void connect() {
        channel = ManagedChannelBuilder.forAddress("localhost", grpcPort)
                .usePlaintext()
                .build();
        put("/v1/tenants/owner", Map.of());
        put("/v1/tenants/guest", Map.of());
        for (String region : List.of("r-home", "r-near", "r-far")) {
            put("/v1/regions/" + region, Map.of());
        }
        put("/v1/regions/r-home/round-trips/r-near", Map.of("micros", 10_000));
        put("/v1/regions/r-home/round-trips/r-far", Map.of("micros", 90_000));
    }

    @AfterEach
    void disconnect() {
        channel.shutdownNow();
    }

    private static Response put(String path, Object body) {
        return given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .contentType(ContentType.JSON)
                .body(body)
                .put(path);
    }

    private static Response get(String path) {
        return given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .get(path);
    }

    private static void delete(String path) {
        given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .delete(path)
                .then()
                .statusCode(204);
    }

    private static String key(String tenant) {
        return given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .contentType(ContentType.JSON)
                .post("/v1/tenants/" + tenant + "/keys")
                .path("key");
    }

    private static void cluster(String name, String region, String state) {
        assertThat(put("/v1/clusters/" + name, Map.of("region", region, "state", state))
                        .statusCode())
                .isIn(200, 201);
    }

    /** One of the owner at {@code r-home} that can be used, allowed in some regions. */
    private void account(String name, List<String> allowed) throws SQLException {
        put(
                        "/v1/accounts/" + name,
                        Map.of(
                                "tenant",
                                "owner",
                                "allowedRegions",
                                allowed,
                                "replicas",
                                List.of(Map.of(
                                        "region",
                                        "r-home",
                                        "endpoint",
                                        "file:///var/lib/routes-" + name,
                                        "vouched",
                                        true))))
                .then()
                .statusCode(201);
        try (Connection connection = database.getConnection();
                PreparedStatement update =
                        connection.prepareStatement("update replica set state = 'READY' where resource_name = ?")) {
            update.setString(1, name);
            update.executeUpdate();
        }
    }

    private MembershipServiceGrpc.MembershipServiceBlockingStub membership() {
        Metadata headers = new Metadata();
        headers.put(
                Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
                "Bearer " + TestDatabase.JOIN_TOKEN);
        return MembershipServiceGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                .withDeadlineAfter(Patience.LIMIT);
    }

    /** @return its lease */
    private String process(String cluster, String name, int port) {
        return membership()
                .register(RegisterRequest.newBuilder()
                        .setCluster(cluster)
                        .setProcess(name)
                        .setInstance(UUID.randomUUID().toString())
                        .setAddress("10.9.0.1:" + port)
                        .setRemoteAddress("192.0.2.1:" + port)
                        .setPeerToken("0123456789abcdef0123456789abcdef")
                        .setVersion("1")
                        .setCapacity(Capacity.newBuilder()
                                .setBytesPerSecond(1_000_000_000)
                                .setOperations(100)
                                .setCpus(4))
                        .build())
                .getLease();
    }

    private void say(String lease, Load load) {
        var _ = membership()
                .heartbeat(HeartbeatRequest.newBuilder()
                        .setLease(lease)
                        .setLoad(load)
                        .build());
    }

    private RouteServiceGrpc.RouteServiceBlockingStub routes(String key) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + key);
        return RouteServiceGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                .withDeadlineAfter(Patience.LIMIT);
    }

    private static GetRouteRequest to(String resource) {
        return GetRouteRequest.newBuilder()
                .setResourceName(resource)
                .setRegion("r-home")
                .build();
    }

    private static List<String> clusters(Route route) {
        return route.getLevelsList().stream()
                .flatMap(level -> level.getTargetsList().stream())
                .map(Target::getCluster)
                .distinct()
                .toList();
    }

    private void awaitClusters(String key, String resource, String... clusters) {
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(clusters(routes(key).getRoute(to(resource)))).containsExactly(clusters));
    }

    private static void assertRefused(Status.Code code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(code));
    }

    @Test
    void aClientIsToldTheProcessesOfItsRegionFirst() throws SQLException {
        String key = key("owner");
        account("told", List.of("r-home", "r-near"));
        cluster("told-home", "r-home", "active");
        cluster("told-near", "r-near", "active");
        cluster("told-far", "r-far", "active");
        process("told-home", "p0", 8000);
        process("told-near", "p0", 8001);
        process("told-far", "p0", 8002);

        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(clusters(routes(key).getRoute(to("told")))).contains("told-home", "told-near"));
        Route route = routes(key).getRoute(to("told"));

        assertThat(clusters(route)).doesNotContain("told-far");
        assertThat(route.getRegion()).isEqualTo("r-home");
        assertThat(route.getTtl().getSeconds()).isPositive();
        Target near = route.getLevelsList().stream()
                .flatMap(level -> level.getTargetsList().stream())
                .filter(target -> target.getCluster().equals("told-near"))
                .findFirst()
                .orElseThrow();
        assertThat(near.getAddress()).isEqualTo("192.0.2.1:8001");
    }

    @Test
    void aClientIsToldTheAdvertisedAddressOfAClusterForEachOfItsProcesses() throws SQLException {
        String key = key("owner");
        account("balanced", List.of("r-home"));
        cluster("balanced-home", "r-home", "active");
        put("/v1/accounts/balanced/placements/r-home", Map.of("cluster", "balanced-home", "pinned", true));
        process("balanced-home", "p0", 8_810);
        process("balanced-home", "p1", 8_811);

        put(
                        "/v1/clusters/balanced-home",
                        Map.of("region", "r-home", "state", "active", "advertisedAddress", "192.0.2.80:443"))
                .then()
                .statusCode(200);

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(routes(key).getRoute(to("balanced")).getLevelsList().stream()
                                .flatMap(level -> level.getTargetsList().stream())
                                .map(target -> target.getProcess() + " at " + target.getAddress()))
                        .containsExactlyInAnyOrder("p0 at 192.0.2.80:443", "p1 at 192.0.2.80:443"));
    }

    @Test
    void aClusterAtItsLimitSpillsToTheNextRegion() throws SQLException {
        String key = key("owner");
        cluster("spill-home", "r-home", "active");
        cluster("spill-near", "r-near", "active");
        account("spill-account", List.of("r-home", "r-near"));
        String lease = process("spill-home", "p0", 9_310);
        process("spill-near", "p0", 9_320);
        put("/v1/accounts/spill-account/placements/r-home", Map.of("cluster", "spill-home", "pinned", true));
        put("/v1/accounts/spill-account/placements/r-near", Map.of("cluster", "spill-near", "pinned", true));
        awaitClusters(key, "spill-account", "spill-home", "spill-near");

        say(lease, Load.newBuilder().setCpu(1).setRejectedPerSecond(5).build());

        await().atMost(PATIENCE).untilAsserted(() -> {
            Route route = routes(key).getRoute(to("spill-account"));
            assertThat(route.getLevels(0).getShare()).isLessThan(100);
            assertThat(route.getLevels(1).getShare()).isGreaterThan(900);
        });
    }

    @Test
    void aWatchHearsOfADrainAndOfTheWayBack() throws SQLException {
        String key = key("owner");
        account("r-drained", List.of("r-home"));
        cluster("r-drained", "r-home", "active");
        process("r-drained", "p0", 8010);
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(clusters(routes(key).getRoute(to("r-drained"))))
                        .contains("r-drained"));
        Iterator<Route> watch = routes(key).watchRoute(to("r-drained"));
        assertThat(clusters(watch.next())).contains("r-drained");

        cluster("r-drained", "r-home", "draining");

        Route without = next(watch, route -> !clusters(route).contains("r-drained"));
        cluster("r-drained", "r-home", "active");
        Route with = next(watch, route -> clusters(route).contains("r-drained"));
        assertThat(with.getVersion()).isNotEqualTo(without.getVersion());
    }

    private static Route next(Iterator<Route> watch, Predicate<Route> wanted) {
        Route route = watch.next();
        while (!wanted.test(route)) {
            route = watch.next();
        }
        return route;
    }

    @Test
    void aWatchGoesOnWhenTheDatabaseIsOfAnEarlierMoment() throws SQLException {
        cluster("back-a", "r-home", "active");
        process("back-a", "p0", 8711);
        account("back", List.of("r-home"));
        put("/v1/accounts/back/placements/r-home", Map.of("cluster", "back-a", "pinned", true));
        String revoked = key("owner");
        String key = key("owner");
        awaitClusters(key, "back", "back-a");
        Iterator<Route> watch = routes(key).watchRoute(to("back"));
        awaitProcesses(watch, "p0");
        Iterator<Route> ending = routes(revoked).watchRoute(to("back"));
        awaitProcesses(ending, "p0");
        delete("/v1/tenants/owner/keys/" + revoked.split("_", 3)[1]);
        // So the last change has been heard of.
        assertRefused(Status.Code.UNAUTHENTICATED, () -> ending.forEachRemaining(_ -> {}));

        try (Connection connection = database.getConnection();
                PreparedStatement restore =
                        connection.prepareStatement("delete from change where id = (select max(id) from change)")) {
            restore.executeUpdate();
        }
        // Leases are in no change.
        process("back-a", "p1", 8712);

        awaitProcesses(watch, "p0", "p1");
    }

    private static void awaitProcesses(Iterator<Route> watch, String... processes) {
        List<String> named = List.of();
        while (!named.equals(List.of(processes))) {
            named = watch.next().getLevels(0).getTargetsList().stream()
                    .map(Target::getProcess)
                    .sorted()
                    .toList();
        }
    }

    @Test
    void aWatchEndsWhenItsKeyIsRevoked() throws SQLException {
        String key = key("owner");
        account("revoked", List.of("r-home"));
        Iterator<Route> watch = routes(key).watchRoute(to("revoked"));
        watch.next();

        delete("/v1/tenants/owner/keys/" + key.split("_", 3)[1]);

        assertRefused(Status.Code.UNAUTHENTICATED, () -> watch.forEachRemaining(_ -> {}));
    }

    @Test
    void aWatchEndsWhenItsGrantDoes() throws SQLException {
        String key = key("guest");
        account("lent", List.of("r-home"));
        put("/v1/accounts/lent/grants/g", Map.of("grantee", "guest", "access", List.of("read")));
        Iterator<Route> watch = routes(key).watchRoute(to("lent"));
        watch.next();

        delete("/v1/accounts/lent/grants/g");

        assertRefused(Status.Code.PERMISSION_DENIED, () -> watch.forEachRemaining(_ -> {}));
    }

    @Test
    void whatIsUnknownAndWhatIsNotGrantedAreRefusedAlike() throws SQLException {
        String key = key("guest");
        account("foreign", List.of("r-home"));

        StatusRuntimeException foreign = refusal(() -> routes(key).getRoute(to("foreign")));
        StatusRuntimeException nowhere = refusal(() -> routes(key).getRoute(to("nowhere")));

        assertThat(foreign.getStatus().getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
        assertThat(nowhere.getStatus().getCode()).isEqualTo(foreign.getStatus().getCode());
        assertThat(nowhere.getStatus().getDescription())
                .isEqualTo(foreign.getStatus().getDescription());
    }

    private static StatusRuntimeException refusal(Runnable call) {
        try {
            call.run();
        } catch (StatusRuntimeException e) {
            return e;
        }
        throw new AssertionError("it was answered");
    }

    @Test
    void withoutAGoodKeyNothingIsAnswered() throws SQLException {
        account("locked", List.of("r-home"));

        for (String key : List.of("", "nonsense", TestDatabase.JOIN_TOKEN, "kv_nosuchkey0_secret")) {
            assertRefused(Status.Code.UNAUTHENTICATED, () -> routes(key).getRoute(to("locked")));
        }
    }

    @Test
    void aFieldThatBreaksItsRuleIsNamed() {
        String key = key("owner");

        assertThat(refusal(() -> routes(key).getRoute(to("x".repeat(201)))).getMessage())
                .contains("resource_name: must");
        assertThat(refusal(() -> routes(key)
                                .getRoute(to("x").toBuilder().setRegion("\0").build()))
                        .getMessage())
                .contains("region: must");
    }

    @Test
    void anAccountIsPlacedWhenItIsFirstRouted() throws SQLException {
        String key = key("owner");
        cluster("chosen", "r-home", "active");
        process("chosen", "p0", 8020);
        account("settled", List.of("r-home"));
        assertThat(get("/v1/accounts/settled/placements").<List<Object>>path("items"))
                .isEmpty();

        await().atMost(PATIENCE).untilAsserted(() -> {
            routes(key).getRoute(to("settled"));
            assertThat(get("/v1/accounts/settled/placements").<List<Boolean>>path("items.automatic"))
                    .containsExactly(true);
        });
    }

    @Test
    void aPinnedAccountHasNothingElseInThatRegion() throws SQLException {
        String key = key("owner");
        cluster("pin", "r-home", "active");
        cluster("pin-not", "r-home", "active");
        process("pin", "p0", 8030);
        process("pin-not", "p0", 8031);
        account("r-pinned", List.of("r-home"));

        put("/v1/accounts/r-pinned/placements/r-home", Map.of("cluster", "pin", "pinned", true));

        awaitClusters(key, "r-pinned", "pin");
    }

    @Test
    void anAdminIsToldWhyEachClusterIsInOrOut() throws SQLException {
        account("explained", List.of("r-home"));
        cluster("explained-far", "r-far", "active");

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(get("/v1/routes/explained?region=r-home&explain=true")
                                .<String>path("reasons.find { it.cluster == 'explained-far' }.text"))
                        .isEqualTo("not in one of the account's allowed regions"));
        assertThat(get("/v1/routes/explained").<Object>path("reasons")).isNull();
        assertThat(get("/v1/routes/nowhere").statusCode()).isEqualTo(404);
        assertThat(get("/v1/routes/explained?explain=perhaps").statusCode()).isEqualTo(400);
    }

    @Test
    void aClientIsToldNothingOfClustersInRegionsItMayNotUse() throws SQLException {
        String key = key("owner");
        account("explained-to-clients", List.of("r-home"));
        cluster("hidden-far", "r-far", "active");
        cluster("shown-home", "r-home", "active");
        GetRouteRequest question =
                to("explained-to-clients").toBuilder().setExplain(true).build();

        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(routes(key).getRoute(question).getReasonsList())
                        .extracting(Reason::getCluster)
                        .contains("shown-home"));
        assertThat(routes(key).getRoute(question).getReasonsList())
                .extracting(Reason::getRegion)
                .containsOnly("r-home");
    }

    @Test
    void allowedRegionsAreRegisteredAndHomeIsAmongThem() {
        Map<String, Object> replica =
                Map.of("region", "r-home", "endpoint", "file:///var/lib/routes-never", "vouched", true);

        for (List<String> flawed : List.of(List.of("r-home", "atlantis"), List.of("r-far"))) {
            Response refused = put(
                    "/v1/accounts/never",
                    Map.of("tenant", "owner", "allowedRegions", flawed, "replicas", List.of(replica)));
            assertThat(refused.statusCode()).isEqualTo(400);
            assertThat(refused.<String>path("errors[0].field")).startsWith("allowedRegions");
        }
    }
}
