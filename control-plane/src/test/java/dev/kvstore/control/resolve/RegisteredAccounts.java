package dev.kvstore.control.resolve;

import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.kvstore.control.TestDatabase;
import dev.kvstore.protocol.control.v1.AccountServiceGrpc;
import dev.kvstore.protocol.control.v1.Probe;
import dev.kvstore.protocol.control.v1.ProbeStep;
import dev.kvstore.protocol.control.v1.ReportProbeRequest;
import dev.kvstore.protocol.control.v1.ResolveRequest;
import dev.kvstore.protocol.control.v1.ResolveResponse;
import dev.kvstore.protocol.control.v1.WatchRequest;
import dev.kvstore.protocol.control.v1.WatchResponse;
import dev.kvstore.testing.Patience;
import io.grpc.ClientInterceptor;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import io.restassured.http.ContentType;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Calls of data planes about accounts that a test registers over REST, and their trials of storage. */
abstract class RegisteredAccounts {
    static final ProbeStep.Name[] ALL = {
        ProbeStep.Name.CREDENTIAL,
        ProbeStep.Name.OWNERSHIP,
        ProbeStep.Name.WRITE,
        ProbeStep.Name.READ,
        ProbeStep.Name.DELETE
    };

    @ConfigProperty(name = "quarkus.grpc.server.test-port")
    int grpcPort;

    @Inject
    @SuppressWarnings("NullAway.Init")
    ChangeFeed feed;

    @SuppressWarnings("NullAway.Init")
    ManagedChannel channel;

    @SuppressWarnings("NullAway.Init")
    AccountServiceGrpc.AccountServiceBlockingStub calls;

    @Nullable
    Iterator<WatchResponse> watch;

    final Map<String, Probe> given = new HashMap<>();

    @BeforeEach
    void connect() {
        channel = ManagedChannelBuilder.forAddress("localhost", grpcPort)
                .usePlaintext()
                .build();
        calls = stub(TestDatabase.JOIN_TOKEN);
        put("/v1/regions/eu-1", Map.of());
        put("/v1/tenants/customer", Map.of());
        put("/v1/tenants/provider", Map.of());
    }

    AccountServiceGrpc.AccountServiceBlockingStub stub(String token) {
        return AccountServiceGrpc.newBlockingStub(channel)
                .withInterceptors(bearer(token))
                .withDeadlineAfter(Patience.LIMIT);
    }

    static ClientInterceptor bearer(String token) {
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
        return MetadataUtils.newAttachHeadersInterceptor(headers);
    }

    @AfterEach
    void disconnect() {
        channel.shutdownNow();
        // A trial of the next test must not be given to the data plane of this test.
        await().atMost(Patience.LIMIT).until(() -> feed.watchers() == 0);
    }

    static Response put(String path, Object body) {
        return given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .contentType(ContentType.JSON)
                .body(body)
                .put(path);
    }

    static void delete(String path) {
        given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .delete(path)
                .then()
                .statusCode(204);
    }

    static String key(String tenant) {
        return given().header("Authorization", "Bearer " + TestDatabase.ADMIN_TOKEN)
                .contentType(ContentType.JSON)
                .post("/v1/tenants/" + tenant + "/keys")
                .path("key");
    }

    static void account(String name, String folder) {
        put(
                        "/v1/accounts/" + name,
                        Map.of(
                                "tenant",
                                "customer",
                                "replicas",
                                List.of(Map.of("region", "eu-1", "endpoint", "file:///" + folder, "vouched", true))))
                .then()
                .statusCode(201);
    }

    ResolveResponse resolve(String key, String resource) {
        return calls.resolve(ResolveRequest.newBuilder()
                .setKeyId(key.split("_", 3)[1])
                .setKeySha256(sha256(key))
                .setResourceName(resource)
                .setRegion("eu-1")
                .build());
    }

    static ByteString sha256(String key) {
        try {
            return ByteString.copyFrom(MessageDigest.getInstance("SHA-256").digest(key.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    void makeReady(String resource) {
        report(claim(resource), ALL);
    }

    static void offline(String name, int maxOfflineSeconds) {
        put(
                        "/v1/accounts/" + name,
                        Map.of(
                                "tenant",
                                "customer",
                                "maxOfflineSeconds",
                                maxOfflineSeconds,
                                "replicas",
                                List.of(Map.of(
                                        "region", "eu-1", "endpoint", "file:///var/lib/" + name, "vouched", true))))
                .then()
                .statusCode(200);
    }

    /** The trial of an account's storage, which is given to the one data plane that this test has. */
    Probe claim(String resource) {
        Iterator<WatchResponse> mine = watch;
        if (mine == null) {
            mine = calls.watch(
                    WatchRequest.newBuilder().setRegion("eu-1").setNode("n").build());
            watch = mine;
        }
        while (!given.containsKey(resource)) {
            mine.next().getProbesList().forEach(probe -> given.put(probe.getResourceName(), probe));
        }
        return Objects.requireNonNull(given.remove(resource));
    }

    void report(Probe probe, ProbeStep.Name... steps) {
        ReportProbeRequest.Builder report =
                ReportProbeRequest.newBuilder().setId(probe.getId()).setNode("n");
        for (ProbeStep.Name step : steps) {
            report.addSteps(ProbeStep.newBuilder().setName(step).setOk(true));
        }
        var _ = calls.reportProbe(report.build());
    }

    static void execute(String command) throws SQLException {
        try (Connection connection = DriverManager.getConnection(
                        TestDatabase.database().url(), TestDatabase.database().user(), "");
                Statement statement = connection.createStatement()) {
            statement.execute(command);
        }
    }
}
