package dev.kvstore.control.heat;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.oneOf;

import com.google.protobuf.ByteString;
import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.control.v1.MembershipServiceGrpc;
import dev.kvstore.protocol.control.v1.PartitionHeat;
import dev.kvstore.protocol.control.v1.RegisterRequest;
import dev.kvstore.protocol.control.v1.ReportHeatRequest;
import dev.kvstore.protocol.control.v1.WarmingServiceGrpc;
import dev.kvstore.protocol.heat.Uses;
import dev.kvstore.protocol.wire.WireNames;
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
import io.restassured.response.ValidatableResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class ReportHeatTest {
    private static final BlockHash ROOT = new BlockHash(1, 2, 3, 4);

    @ConfigProperty(name = "quarkus.grpc.server.test-port")
    int grpcPort;

    @SuppressWarnings("NullAway.Init")
    private ManagedChannel channel;

    @SuppressWarnings("NullAway.Init")
    private WarmingServiceGrpc.WarmingServiceBlockingStub calls;

    @SuppressWarnings("NullAway.Init")
    private String lease;

    @BeforeEach
    void join() {
        channel = ManagedChannelBuilder.forAddress("localhost", grpcPort)
                .usePlaintext()
                .build();
        calls = WarmingServiceGrpc.newBlockingStub(channel)
                .withInterceptors(token(TestDatabase.JOIN_TOKEN))
                .withDeadlineAfter(Patience.LIMIT);
        put("/v1/regions/heat-1", Map.of());
        put("/v1/clusters/heat-1", Map.of("region", "heat-1", "state", "active"));
        put("/v1/tenants/heat", Map.of());
        lease = MembershipServiceGrpc.newBlockingStub(channel)
                .withInterceptors(token(TestDatabase.JOIN_TOKEN))
                .register(RegisterRequest.newBuilder()
                        .setCluster("heat-1")
                        .setProcess("p0")
                        .setInstance(UUID.randomUUID().toString())
                        .setAddress("10.0.9.1:8085")
                        .setPeerToken("0123456789abcdef0123456789abcdef")
                        .build())
                .getLease();
    }

    private static io.grpc.ClientInterceptor token(String token) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        return MetadataUtils.newAttachHeadersInterceptor(headers);
    }

    @AfterEach
    void disconnect() {
        channel.shutdownNow();
    }

    private static void put(String path, Object body) {
        given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .contentType(ContentType.JSON)
                .body(body)
                .put(path)
                .then()
                .statusCode(oneOf(200, 201));
    }

    private static void account(String name) {
        put(
                "/v1/accounts/" + name,
                Map.of(
                        "tenant",
                        "heat",
                        "replicas",
                        List.of(Map.of("region", "heat-1", "endpoint", "file:///heat/" + name, "vouched", true))));
    }

    private static ValidatableResponse heat(String account) {
        return heat(account, Map.of());
    }

    private static ValidatableResponse heat(String account, Map<String, String> query) {
        return given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .queryParams(query)
                .get("/v1/accounts/" + account + "/heat")
                .then();
    }

    /** Blocks 1, 2 and so on of a partition. */
    private static PartitionHeat.Builder used(String account, BlockHash root, double... uses) {
        PartitionHeat.Builder heat =
                PartitionHeat.newBuilder().setResourceName(account).setRoot(WireNames.field(root));
        ByteString hashes = ByteString.EMPTY;
        for (int i = 0; i < uses.length; i++) {
            hashes = hashes.concat(WireNames.field(new BlockHash(root.a(), 0, 0, i + 1)));
            heat.addParents(i).addBytes(1_000).addUses(Uses.at(Instant.now()) + uses[i]);
        }
        return heat.setHashes(hashes);
    }

    private void report(PartitionHeat.Builder... heat) {
        ReportHeatRequest.Builder report = ReportHeatRequest.newBuilder().setLease(lease);
        List.of(heat).forEach(report::addHeat);
        var _ = calls.reportHeat(report.build());
    }

    private void assertRefused(Status.Code code, String why, ReportHeatRequest report) {
        assertThatThrownBy(() -> calls.reportHeat(report)).isInstanceOfSatisfying(StatusRuntimeException.class, e -> {
            assertThat(e.getStatus().getCode()).isEqualTo(code);
            assertThat(e.getStatus().getDescription()).contains(why);
        });
    }

    @Test
    void whatDataPlanesTellIsShownToWhoMaySeeTheAccount() {
        account("heat-shown");
        BlockHash other = new BlockHash(5, 0, 0, 0);
        report(used("heat-shown", ROOT, 0, 0, 0), used("heat-shown", other, 2));

        // The uses are 1, 1, 1 and 4: one block has four sevenths of them, three have six.
        heat("heat-shown")
                .statusCode(200)
                .body("region", equalTo("heat-1"))
                .body("blocks", equalTo(4))
                .body("bytes", equalTo(4_000))
                .body("hottest.uses", equalTo(List.of(0.5f, 0.8f, 0.9f, 0.95f, 0.99f)))
                .body("hottest.blocks", equalTo(List.of(1, 3, 4, 4, 4)))
                .body("partitions.root", equalTo(List.of(other.hex(), ROOT.hex())))
                .body("partitions.uses", equalTo(List.of(0.5714f, 0.4286f)));
    }

    @Test
    void ofAccountsThatHaveNoPlaceInItsRegionNothingIsHeardFromADataPlane() {
        put("/v1/regions/heat-2", Map.of());
        put("/v1/clusters/heat-1-b", Map.of("region", "heat-1", "state", "active"));
        account("heat-ours");
        account("heat-pinned");
        put("/v1/accounts/heat-pinned/placements/heat-1", Map.of("cluster", "heat-1-b", "pinned", true));
        put(
                "/v1/accounts/heat-elsewhere",
                Map.of(
                        "tenant",
                        "heat",
                        "replicas",
                        List.of(Map.of("region", "heat-2", "endpoint", "file:///heat/elsewhere", "vouched", true))));
        double before = refused();

        report(
                used("heat-ours", ROOT, 0, 0),
                used("heat-elsewhere", ROOT, 0),
                used("heat-pinned", ROOT, 0),
                used("heat-made-up", ROOT, 0));

        heat("heat-ours").body("blocks", equalTo(2));
        heat("heat-pinned").body("blocks", equalTo(0));
        heat("heat-elsewhere", Map.of("region", "heat-1")).body("blocks", equalTo(0));
        account("heat-made-up");
        heat("heat-made-up").body("blocks", equalTo(0));
        assertThat(refused()).isEqualTo(before + 1);
    }

    private static double refused() {
        return given().get("/q/metrics")
                .asString()
                .lines()
                .filter(line -> line.startsWith("kvstore_reports_refused_total{") && line.contains("heat"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    @Test
    void ofAnAccountThatNobodyUsesNothingIsKnown() {
        account("heat-unused");

        heat("heat-unused")
                .statusCode(200)
                .body("blocks", equalTo(0))
                .body("hottest", empty())
                .body("partitions", empty());
        heat("heat-nowhere").statusCode(404);
    }

    @Test
    void aClockThatIsFarAheadDoesNotMakeBlocksHotterThanTheyCanBe() {
        account("heat-ahead");
        report(used("heat-ahead", ROOT, 1_000_000, 25));

        heat("heat-ahead").body("hottest[1].blocks", equalTo(2));
    }

    @Test
    void whoHasNoLeaseIsToldToRegister() {
        assertRefused(
                Status.Code.NOT_FOUND,
                "register again",
                ReportHeatRequest.newBuilder()
                        .setLease(UUID.randomUUID().toString())
                        .build());
    }

    @Test
    void withoutTheJoinTokenNothingIsHeard() {
        assertThatThrownBy(() -> WarmingServiceGrpc.newBlockingStub(channel)
                        .reportHeat(
                                ReportHeatRequest.newBuilder().setLease(lease).build()))
                .hasMessageContaining("UNAUTHENTICATED");
    }

    @Test
    void aFieldThatBreaksItsRuleIsNamed() {
        Map<String, PartitionHeat.Builder> flawed = Map.of(
                "heat.resource_name", used("../acme", ROOT, 0),
                "heat.root", used("acme", ROOT, 0).setRoot(ByteString.EMPTY),
                "heat.hashes", used("acme", ROOT, 0).setHashes(ByteString.copyFrom(new byte[31])),
                "heat.parents", used("acme", ROOT, 0).clearParents(),
                "heat.bytes", used("acme", ROOT, 0).clearBytes().addBytes(0),
                "heat.uses", used("acme", ROOT, new double[HeatReportParser.MOST_BLOCKS + 1]));

        flawed.forEach((field, heat) -> assertRefused(
                Status.Code.INVALID_ARGUMENT,
                field + ": must",
                ReportHeatRequest.newBuilder().setLease(lease).addHeat(heat).build()));
        assertRefused(
                Status.Code.INVALID_ARGUMENT,
                "lease: must",
                ReportHeatRequest.newBuilder().setLease("mine").build());
    }
}
