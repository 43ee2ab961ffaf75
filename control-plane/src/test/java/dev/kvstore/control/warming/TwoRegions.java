package dev.kvstore.control.warming;

import static io.restassured.RestAssured.given;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.oneOf;

import com.google.protobuf.ByteString;
import dev.kvstore.control.TestDatabase;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.control.v1.ClaimRequest;
import dev.kvstore.protocol.control.v1.Failure;
import dev.kvstore.protocol.control.v1.HeartbeatRequest;
import dev.kvstore.protocol.control.v1.MembershipServiceGrpc;
import dev.kvstore.protocol.control.v1.PartitionHeat;
import dev.kvstore.protocol.control.v1.RegisterRequest;
import dev.kvstore.protocol.control.v1.ReportCopiedRequest;
import dev.kvstore.protocol.control.v1.ReportCopiedResponse;
import dev.kvstore.protocol.control.v1.ReportHeatRequest;
import dev.kvstore.protocol.control.v1.Task;
import dev.kvstore.protocol.control.v1.WarmingServiceGrpc;
import dev.kvstore.protocol.heat.Uses;
import dev.kvstore.protocol.wire.WireNames;
import dev.kvstore.testing.Patience;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A home and another region with a data plane each, accounts that are in both, and what those data planes say. */
public abstract class TwoRegions {
    protected static final Partition MODEL = Partition.of("llama");

    @ConfigProperty(name = "quarkus.grpc.server.test-port")
    int grpcPort;

    @Inject
    @SuppressWarnings("NullAway.Init")
    protected DataSource database;

    @SuppressWarnings("NullAway.Init")
    protected ManagedChannel channel;

    @SuppressWarnings("NullAway.Init")
    protected WarmingServiceGrpc.WarmingServiceBlockingStub calls;

    private final ScheduledExecutorService beats = Executors.newSingleThreadScheduledExecutor();

    @SuppressWarnings("NullAway.Init")
    protected String home;

    @SuppressWarnings("NullAway.Init")
    protected String away;

    @BeforeEach
    void join() {
        channel = ManagedChannelBuilder.forAddress("localhost", grpcPort)
                .usePlaintext()
                .build();
        calls = WarmingServiceGrpc.newBlockingStub(channel)
                .withInterceptors(token())
                .withDeadlineAfter(60, TimeUnit.SECONDS);
        put("/v1/tenants/warm", Map.of());
        home = lease("warm-home", "10.0.8.1:8085");
        away = lease("warm-away", "10.0.8.2:8085");
        put("/v1/regions/warm-none", Map.of());
        // A lease lasts 15 s, and a test may take longer on a busy machine.
        var _ = beats.scheduleWithFixedDelay(() -> List.of(home, away).forEach(this::beat), 3, 3, TimeUnit.SECONDS);
    }

    private void beat(String lease) {
        var _ = MembershipServiceGrpc.newBlockingStub(channel)
                .withInterceptors(token())
                .heartbeat(HeartbeatRequest.newBuilder().setLease(lease).build());
    }

    protected static io.grpc.ClientInterceptor token() {
        Metadata headers = new Metadata();
        headers.put(
                Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
                "Bearer " + TestDatabase.JOIN_TOKEN);
        return MetadataUtils.newAttachHeadersInterceptor(headers);
    }

    /** The lease of a process of the region's first cluster, which has the region's name. */
    protected String lease(String region, String address) {
        return lease(region, region, address);
    }

    protected String lease(String region, String cluster, String address) {
        put("/v1/regions/" + region, Map.of());
        put("/v1/clusters/" + cluster, Map.of("region", region, "state", "active"));
        return MembershipServiceGrpc.newBlockingStub(channel)
                .withInterceptors(token())
                .register(RegisterRequest.newBuilder()
                        .setCluster(cluster)
                        .setProcess("p0")
                        .setInstance(UUID.randomUUID().toString())
                        .setAddress(address)
                        .setPeerToken("0123456789abcdef0123456789abcdef")
                        .build())
                .getLease();
    }

    /** Warmings that a test leaves open would be the next test's. */
    @AfterEach
    void disconnect() throws SQLException {
        beats.shutdownNow();
        sql("update warming set state = 'CANCELLED' where ended_at is null");
        channel.shutdownNow();
    }

    protected void sql(String statement, String... values) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement update = connection.prepareStatement(statement)) {
            for (int i = 0; i < values.length; i++) {
                update.setString(i + 1, values[i]);
            }
            update.executeUpdate();
        }
    }

    protected static void put(String path, Object body) {
        given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .contentType(ContentType.JSON)
                .body(body)
                .put(path)
                .then()
                .statusCode(oneOf(200, 201));
    }

    /** With replicas in both regions that a data plane has found good. */
    protected void account(String name) throws SQLException {
        put(
                "/v1/accounts/" + name,
                Map.of(
                        "tenant",
                        "warm",
                        "homeRegion",
                        "warm-home",
                        "replicas",
                        List.of(
                                Map.of("region", "warm-home", "endpoint", "file:///warm/home/" + name, "vouched", true),
                                Map.of(
                                        "region",
                                        "warm-away",
                                        "endpoint",
                                        "file:///warm/away/" + name,
                                        "vouched",
                                        true))));
        sql(
                "update replica set state = 'READY', proven = true, probed_at = now() - interval '1 day' where resource_name = ?",
                name);
    }

    protected static Map<String, Object> spec(String account, Map<String, ?> select) {
        return new HashMap<>(Map.of("resourceName", account, "from", "warm-home", "to", "warm-away", "select", select));
    }

    protected static ValidatableResponse create(Map<String, ?> spec) {
        return given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .contentType(ContentType.JSON)
                .body(spec)
                .post("/v1/warmings")
                .then();
    }

    protected static String created(Map<String, ?> spec) {
        return create(spec).statusCode(201).extract().path("id");
    }

    protected static ValidatableResponse get(String path) {
        return given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .get("/v1/warmings/" + path)
                .then()
                .statusCode(200);
    }

    protected static ValidatableResponse post(String id, String verb) {
        return given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .contentType(ContentType.JSON)
                .post("/v1/warmings/" + id + "/" + verb)
                .then();
    }

    protected static String state(String id) {
        return get(id).extract().path("state");
    }

    protected static BlockHash block(int number) {
        return new BlockHash(number, 0, 0, number);
    }

    /**
     * Block 1 is the first, 2 comes after it and so on; each used as often as is said, by its logarithm to the base 2.
     */
    protected void used(String account, double... uses) {
        told(home, account, 1, uses);
    }

    /** Reports uses of an account's blocks, from another first block on. */
    protected void usedFrom(int block, String account, double... uses) {
        told(home, account, block, uses);
    }

    /** Reports uses of an account's blocks in the other region. */
    protected void usedAway(String account, double... uses) {
        told(away, account, 1, uses);
    }

    private void told(String lease, String account, int first, double... uses) {
        PartitionHeat.Builder heat =
                PartitionHeat.newBuilder().setResourceName(account).setRoot(WireNames.field(MODEL.root()));
        ByteString hashes = ByteString.EMPTY;
        for (int i = 0; i < uses.length; i++) {
            int number = first + i;
            hashes = hashes.concat(WireNames.field(block(number)));
            heat.addParents(number == 1 ? MODEL.root().a() : number - 1)
                    .addBytes(1_000)
                    .addUses(Uses.at(Instant.now()) + uses[i]);
        }
        var _ = calls.reportHeat(ReportHeatRequest.newBuilder()
                .setLease(lease)
                .addHeat(heat.setHashes(hashes))
                .build());
    }

    /** Moves the reported uses of an account back in time. */
    protected void toldEarlier(String account, String time) throws SQLException {
        sql("update heat set told_at = told_at - cast(? as interval) where resource_name = ?", time, account);
    }

    /** Places an account on a cluster of a region. */
    protected static void place(String account, String region, String cluster, boolean pinned) {
        put("/v1/accounts/" + account + "/placements/" + region, Map.of("cluster", cluster, "pinned", pinned));
    }

    protected void isDue(String id) throws SQLException {
        sql("update warming set plan_after = now() where id = ?", id);
    }

    protected String text(String query, String value) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement(query)) {
            select.setString(1, value);
            try (ResultSet row = select.executeQuery()) {
                row.next();
                return row.getString(1);
            }
        }
    }

    protected Task claimed() {
        return await().atMost(Patience.LIMIT)
                .until(
                        () -> calls.claim(
                                ClaimRequest.newBuilder().setLease(away).build()),
                        answer -> answer.hasTask())
                .getTask();
    }

    protected boolean isNothingToDo(String lease, String... except) {
        return !calls.claim(ClaimRequest.newBuilder()
                        .setLease(lease)
                        .addAllWarmings(List.of(except))
                        .build())
                .hasTask();
    }

    protected static List<Integer> blocks(Task task) {
        ByteString names = task.getCopying().getBlocks();
        return IntStream.range(0, names.size() / 64)
                .mapToObj(i -> (int) WireNames.hash(names.substring(i * 64 + 32, i * 64 + 64))
                        .a())
                .toList();
    }

    protected ReportCopiedResponse report(Task task, int from, int... outcomes) {
        ReportCopiedRequest.Builder report = ReportCopiedRequest.newBuilder()
                .setLease(away)
                .setWarming(task.getWarming())
                .setChunk(task.getCopying().getChunk())
                .setClaim(task.getClaim())
                .setFrom(from)
                .setBytesPerSecond(500);
        ByteString.Output bytes = ByteString.newOutput();
        for (int i = 0; i < outcomes.length; i++) {
            bytes.write(outcomes[i]);
            if (outcomes[i] == ReportCopiedRequest.Outcome.FAILED_VALUE) {
                report.addFailures(Failure.newBuilder().setBlock(from + i).setReason("it burnt"));
            }
        }
        return calls.reportCopied(report.setOutcomes(bytes.toByteString()).build());
    }

    static double refused(String report) {
        return RestAssured.get("/q/metrics")
                .asString()
                .lines()
                .filter(line -> line.startsWith("kvstore_reports_refused_total{") && line.contains(report))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }
}
