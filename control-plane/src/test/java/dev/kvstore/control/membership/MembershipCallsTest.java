package dev.kvstore.control.membership;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import com.google.protobuf.Timestamp;
import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.control.metrics.ControlPlaneMetrics;
import dev.kvstore.metrics.Metric;
import dev.kvstore.protocol.control.v1.Capacity;
import dev.kvstore.protocol.control.v1.HeartbeatRequest;
import dev.kvstore.protocol.control.v1.Instructions;
import dev.kvstore.protocol.control.v1.LeaveRequest;
import dev.kvstore.protocol.control.v1.Load;
import dev.kvstore.protocol.control.v1.MembershipServiceGrpc;
import dev.kvstore.protocol.control.v1.Peer;
import dev.kvstore.protocol.control.v1.RegisterRequest;
import dev.kvstore.protocol.control.v1.RegisterResponse;
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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class MembershipCallsTest {
    private static final String TOKEN = "0123456789abcdef0123456789abcdef";

    @ConfigProperty(name = "quarkus.grpc.server.test-port")
    int grpcPort;

    @SuppressWarnings("NullAway.Init")
    private ManagedChannel channel;

    @SuppressWarnings("NullAway.Init")
    private MembershipServiceGrpc.MembershipServiceBlockingStub calls;

    @BeforeEach
    void connect() {
        channel = ManagedChannelBuilder.forAddress("localhost", grpcPort)
                .usePlaintext()
                .build();
        calls = stub(TestDatabase.JOIN_TOKEN);
    }

    @AfterEach
    void disconnect() {
        channel.shutdownNow();
    }

    private MembershipServiceGrpc.MembershipServiceBlockingStub stub(String token) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        return MembershipServiceGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                .withDeadlineAfter(Patience.LIMIT);
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

    private static void cluster(String name, String state) {
        put("/v1/regions/eu-1", Map.of());
        put("/v1/clusters/" + name, Map.of("region", "eu-1", "state", state))
                .then()
                .statusCode(org.hamcrest.Matchers.oneOf(200, 201));
    }

    private static RegisterRequest.Builder joining(String cluster, String process, int port) {
        return RegisterRequest.newBuilder()
                .setCluster(cluster)
                .setProcess(process)
                .setInstance(UUID.randomUUID().toString())
                .setAddress("10.0.0.1:" + port)
                .setPeerToken(TOKEN)
                .setVersion("1.2.3")
                .setCapacity(Capacity.newBuilder().setOperations(100).setCpus(8));
    }

    private static HeartbeatRequest.Builder beat(RegisterResponse joined) {
        return HeartbeatRequest.newBuilder().setLease(joined.getLease());
    }

    private static void assertRefused(Status.Code code, String why, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(StatusRuntimeException.class, e -> {
            assertThat(e.getStatus().getCode()).isEqualTo(code);
            assertThat(e.getStatus().getDescription()).contains(why);
        });
    }

    private Instructions instructions(RegisterResponse joined) {
        return calls.heartbeat(beat(joined).build()).getInstructions();
    }

    @Test
    void whoJoinsIsGivenALeaseAndToldHowToKeepIt() {
        cluster("joined", "active");

        RegisterResponse joined = calls.register(joining("joined", "p0", 8085).build());

        assertThat(joined.getLease()).isNotEmpty();
        assertThat(joined.getRegion()).isEqualTo("eu-1");
        assertThat(joined.getLeaseTime().getSeconds()).isEqualTo(15);
        assertThat(joined.getHeartbeatPeriod().getSeconds()).isEqualTo(5);
        assertThat(joined.getInstructions().getDrain()).isFalse();
        assertThat(joined.getInstructions().getCorrectionsList()).isEmpty();
        assertThat(instructions(joined).getDrain()).isFalse();
    }

    @Test
    void withoutTheJoinTokenNobodyJoins() {
        assertRefused(
                Status.Code.UNAUTHENTICATED,
                "join token",
                () -> stub("wrong").register(joining("joined", "p0", 8085).build()));
    }

    @Test
    void noClusterTakesInWhomItDoesNotKnowOrIsOffline() {
        cluster("dark", "offline");

        assertRefused(
                Status.Code.FAILED_PRECONDITION,
                "nowhere is not registered",
                () -> calls.register(joining("nowhere", "p0", 8085).build()));
        assertRefused(
                Status.Code.FAILED_PRECONDITION,
                "dark is offline",
                () -> calls.register(joining("dark", "p0", 8085).build()));
    }

    @Test
    void aFieldThatBreaksItsRuleIsNamed() {
        cluster("strict", "active");
        Map<String, RegisterRequest.Builder> flawed = Map.of(
                "cluster", joining("No Cluster", "p0", 1),
                "process", joining("strict", "../p0", 1),
                "instance", joining("strict", "p0", 1).setInstance("short"),
                "address", joining("strict", "p0", 1).setAddress("10.0.0.1:70000"),
                "remote_address", joining("strict", "p0", 1).setRemoteAddress("nowhere"),
                "peer_token", joining("strict", "p0", 1).setPeerToken("secret"),
                "version", joining("strict", "p0", 1).setVersion("\u0000"),
                "numa_node", joining("strict", "p0", 1).setNumaNode(-1));

        flawed.forEach((field, request) ->
                assertRefused(Status.Code.INVALID_ARGUMENT, field + ": must", () -> calls.register(request.build())));
        assertRefused(
                Status.Code.INVALID_ARGUMENT,
                "lease: must",
                () -> calls.heartbeat(
                        HeartbeatRequest.newBuilder().setLease("mine").build()));
    }

    @Test
    void theSameInstanceKeepsItsLeaseWhenItSaysItAgain() {
        cluster("again", "active");
        RegisterRequest request = joining("again", "p0", 8185).build();
        RegisterResponse first = calls.register(request);

        assertThat(calls.register(request).getLease()).isEqualTo(first.getLease());
    }

    @Test
    void aProcessThatWasStartedAnewTakesItsOwnPlace() {
        cluster("anew", "active");
        RegisterResponse first = calls.register(joining("anew", "p0", 8285).build());

        RegisterResponse second = calls.register(joining("anew", "p0", 8285).build());

        assertThat(second.getLease()).isNotEqualTo(first.getLease());
        assertRefused(Status.Code.NOT_FOUND, "register again", () -> instructions(first));
    }

    @Test
    void noOtherProcessTakesALivingOnesNameOrAddress() {
        cluster("owned", "active");
        calls.register(joining("owned", "p0", 8385).build());

        assertRefused(
                Status.Code.ALREADY_EXISTS,
                "10.0.0.1:8385",
                () -> calls.register(joining("owned", "p0", 8386).build()));
        assertRefused(
                Status.Code.ALREADY_EXISTS,
                "owned/p0",
                () -> calls.register(joining("owned", "p1", 8385).build()));
    }

    @Test
    void whatAnOperatorRegisteredIsNobodyElses() {
        cluster("declared", "active");
        put("/v1/clusters/declared/processes/p0", Map.of("address", "10.0.0.1:8485"))
                .then()
                .statusCode(201);

        assertRefused(
                Status.Code.ALREADY_EXISTS,
                "declared/p0",
                () -> calls.register(joining("declared", "p1", 8485).build()));
        assertThat(calls.register(joining("declared", "p0", 8485).build()).getLease())
                .isNotEmpty();
    }

    @Test
    void whoLeftIsForgottenAndItsPlaceIsFree() {
        cluster("left", "active");
        RegisterResponse joined = calls.register(joining("left", "p0", 8585).build());
        LeaveRequest leave =
                LeaveRequest.newBuilder().setLease(joined.getLease()).build();

        calls.leave(leave);
        calls.leave(leave);

        assertRefused(Status.Code.NOT_FOUND, "register again", () -> instructions(joined));
        get("/v1/clusters/left/processes/p0").then().statusCode(404);
        assertThat(calls.register(joining("left", "p1", 8585).build()).getLease())
                .isNotEmpty();
    }

    @Test
    void whatIsNotPlausibleIsCorrectedWithAReason() {
        cluster("liars", "active");
        RegisterResponse joined = calls.register(joining("liars", "p0", 8685)
                .setCapacity(Capacity.newBuilder()
                        .setBytesPerSecond(-1)
                        .setOperations(0)
                        .setMemoryTierBytes(Long.MAX_VALUE)
                        .setCpus(-8))
                .setClock(Timestamp.newBuilder()
                        .setSeconds(Instant.now().plus(Duration.ofHours(1)).getEpochSecond()))
                .build());

        assertThat(joined.getInstructions().getCorrectionsList())
                .satisfiesExactly(
                        bytes -> assertThat(bytes)
                                .isEqualTo("capacity.bytes_per_second: 18446744073709551615 is more than 100000000000;"
                                        + " taken for 1250000000"),
                        operations -> assertThat(operations).startsWith("capacity.operations: 0 is less than 1"),
                        memory -> assertThat(memory).startsWith("capacity.memory_tier_bytes: 9223372036854775807 is"),
                        cpus -> assertThat(cpus).startsWith("capacity.cpus: 4294967288 is more than 8192"),
                        clock -> assertThat(clock).startsWith("clock: it is 3").contains("ahead of"));
        assertThat(calls.heartbeat(beat(joined)
                                .setLoad(Load.newBuilder().setCpu(Double.NaN).setMemory(-1))
                                .setClock(Timestamp.newBuilder().setSeconds(Long.MIN_VALUE))
                                .build())
                        .getInstructions()
                        .getCorrectionsList())
                .satisfiesExactly(
                        cpu -> assertThat(cpu).isEqualTo("load.cpu: NaN is no number; taken for 0.0"),
                        memory -> assertThat(memory).isEqualTo("load.memory: -1.0 is less than 0; taken for 0.0"),
                        clock -> assertThat(clock).contains("behind"));
    }

    @Test
    void aClusterThatDrainsHasItsProcessesDrain() {
        cluster("drained", "active");
        RegisterResponse joined = calls.register(joining("drained", "p0", 8785).build());

        cluster("drained", "draining");

        assertThat(instructions(joined).getDrain()).isTrue();
        cluster("drained", "active");
        assertThat(instructions(joined).getDrain()).isFalse();
    }

    @Test
    void anOperatorDrainsOneProcess() {
        cluster("one-drained", "active");
        RegisterResponse one = calls.register(joining("one-drained", "p0", 8885).build());
        RegisterResponse other =
                calls.register(joining("one-drained", "p1", 8886).build());

        put("/v1/clusters/one-drained/processes/p0", Map.of("address", "10.0.0.1:8885", "draining", true))
                .then()
                .statusCode(200);

        assertThat(instructions(one).getDrain()).isTrue();
        assertThat(instructions(other).getDrain()).isFalse();
    }

    @Test
    void membersAreToldOfTheirPeersOnceAndAgainWhenTheyChange() {
        cluster("peers", "active");
        RegisterResponse one = calls.register(joining("peers", "p0", 8985).build());
        RegisterResponse other = calls.register(joining("peers", "p1", 8986).build());
        await().atMost(Patience.LIMIT)
                .until(() -> instructions(one).getPeersList().stream()
                        .map(Peer::getAddress)
                        .toList()
                        .equals(List.of("10.0.0.1:8986")));
        Instructions told = instructions(one);
        assertThat(told.getPeers(0).getToken()).isEqualTo(TOKEN);

        Instructions again = calls.heartbeat(
                        beat(one).setPeersVersion(told.getPeersVersion()).build())
                .getInstructions();
        assertThat(again.getPeersList()).isEmpty();
        assertThat(again.getPeersVersion()).isEqualTo(told.getPeersVersion());

        calls.leave(LeaveRequest.newBuilder().setLease(other.getLease()).build());
        await().atMost(Patience.LIMIT)
                .until(() -> !calls.heartbeat(beat(one)
                                .setPeersVersion(told.getPeersVersion())
                                .build())
                        .getInstructions()
                        .getPeersVersion()
                        .equals(told.getPeersVersion()));
    }

    @Test
    void whoJoinedIsInTheListOfProcessesWithWhatItSays() {
        cluster("listed", "active");
        RegisterResponse joined =
                calls.register(joining("listed", "Pod_1.eu", 9085).build());
        calls.heartbeat(beat(joined)
                .setLoad(Load.newBuilder().setOperations(7).setCpu(0.5))
                .build());

        get("/v1/clusters/listed/processes")
                .then()
                .body("items[0].name", equalTo("Pod_1.eu"))
                .body("items[0].state", equalTo("serving"))
                .body("items[0].declared", equalTo(false))
                .body("items[0].member.program", equalTo("1.2.3"))
                .body("items[0].member.load.operations", equalTo(7))
                .body("items[0].member.capacity.operations", equalTo(100));
        get("/v1/clusters/listed/processes/Pod_1.eu").then().body("member.load.cpu", equalTo(0.5f));
        assertThat(get("/v1/clusters/listed/processes").asString()).doesNotContain(TOKEN);
    }

    @Test
    void whereAProcessIsThatHoldsALeaseItSaysItself() {
        cluster("said", "active");
        calls.register(joining("said", "p0", 9185).build());

        put("/v1/clusters/said/processes/p0", Map.of("address", "10.0.0.2:9185"))
                .then()
                .statusCode(409)
                .body("detail", containsString("10.0.0.1:9185"));
    }

    @Test
    void whatAnOperatorSaidOfAProcessStaysWhenItLeaves() {
        cluster("kept", "active");
        RegisterResponse joined = calls.register(joining("kept", "p0", 9285).build());
        put("/v1/clusters/kept/processes/p0", Map.of("address", "10.0.0.1:9285", "draining", true))
                .then()
                .body("state", equalTo("draining"));

        calls.leave(LeaveRequest.newBuilder().setLease(joined.getLease()).build());

        get("/v1/clusters/kept/processes/p0").then().body("state", equalTo("absent"));
        assertThat(calls.register(joining("kept", "p0", 9285).build())
                        .getInstructions()
                        .getDrain())
                .isTrue();
    }

    @Test
    void anOperatorHasAProcessForgetWhatItKeeps() {
        cluster("refreshed", "active");
        RegisterResponse joined =
                calls.register(joining("refreshed", "p0", 9385).build());

        given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .contentType(ContentType.JSON)
                .post("/v1/clusters/refreshed/processes/p0/refresh")
                .then()
                .statusCode(200);

        assertThat(instructions(joined).getRefresh()).isTrue();
        assertThat(instructions(joined).getRefresh()).isFalse();
        get("/v1/audit?limit=1").then().body("items[0].name", equalTo("refreshed/p0"));
    }

    @Test
    void everyMetricIsThere() {
        cluster("counted", "active");
        RegisterResponse joined = calls.register(joining("counted", "p0", 9485).build());
        instructions(joined);
        // Without TLS there is nothing to tell of its files.
        List<String> names = ControlPlaneMetrics.ALL.stream()
                .map(Metric::name)
                .filter(name -> !name.startsWith("kvstore_tls_"))
                .toList();

        await().atMost(Patience.LIMIT)
                .untilAsserted(
                        () -> assertThat(given().get("/q/metrics").asString()).contains(names));
    }
}
