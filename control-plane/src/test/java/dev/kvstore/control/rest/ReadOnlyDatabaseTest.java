package dev.kvstore.control.rest;

import static dev.kvstore.control.rest.RestAdmin.admin;
import static dev.kvstore.control.rest.RestAdmin.put;
import static dev.kvstore.control.rest.RestAdmin.tenant;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.control.database.Database;
import dev.kvstore.protocol.control.v1.MembershipServiceGrpc;
import dev.kvstore.protocol.control.v1.RegisterRequest;
import dev.kvstore.testing.Patience;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A database that answers and takes no changes, as managed ones do whose disk is full, and standbys. */
@Tag("slow")
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class ReadOnlyDatabaseTest {
    @ConfigProperty(name = "quarkus.grpc.server.test-port")
    int grpcPort;

    private final List<String> traces = new CopyOnWriteArrayList<>();

    private final Handler log = new Handler() {
        @Override
        public void publish(LogRecord said) {
            if (said.getThrown() != null) {
                traces.add(said.getMessage() + " " + said.getThrown());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void demote() throws SQLException {
        tenant("before");
        Logger.getLogger("").addHandler(log);
        readOnly("on");
        await().atMost(Patience.LIMIT)
                .until(() -> put("/v1/tenants/refused", Map.of()).statusCode() != 201);
    }

    @AfterEach
    void promote() throws SQLException {
        readOnly("off");
        Logger.getLogger("").removeHandler(log);
        await().atMost(Patience.LIMIT)
                .until(() -> put("/v1/tenants/after", Map.of()).statusCode() < 300);
    }

    private static void readOnly(String value) throws SQLException {
        Database database = TestDatabase.database();
        try (Connection connection = DriverManager.getConnection(database.url(), database.user(), database.password());
                Statement command = connection.createStatement()) {
            command.execute("alter system set default_transaction_read_only = " + value);
            command.execute("select pg_reload_conf()");
        }
    }

    @Test
    void aChangeIsRefusedWithATimeToTryAgainAndWithoutAStackTrace() {
        put("/v1/tenants/refused", Map.of())
                .then()
                .statusCode(503)
                .header("Retry-After", "2")
                .contentType("application/problem+json")
                .body("type", equalTo("urn:kvstore:problem:unavailable"))
                .body("detail", containsString("read-only"));
        admin().body(Map.of()).post("/v1/tenants/before/keys").then().statusCode(503);
        admin().delete("/v1/tenants/before").then().statusCode(503);

        assertThat(traces).isEmpty();
    }

    @Test
    void questionsAreStillAnswered() {
        admin().get("/v1/tenants/before").then().statusCode(200);
    }

    @Test
    void readinessAndMetricsSayIt() {
        await().atMost(Patience.LIMIT)
                .untilAsserted(() ->
                        assertThat(admin().get("/q/metrics").asString()).contains("kvstore_database_read_only 1.0"));

        admin().get("/q/health/ready")
                .then()
                .statusCode(200)
                .body("checks.find { it.name == 'database changes' }.data.changes", containsString("refused"));
    }

    @Test
    void aDataPlaneIsToldWhyItGetsNoLease() {
        ManagedChannel channel = ManagedChannelBuilder.forAddress("localhost", grpcPort)
                .usePlaintext()
                .build();
        Metadata headers = new Metadata();
        headers.put(
                Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
                "Bearer " + TestDatabase.JOIN_TOKEN);
        MembershipServiceGrpc.MembershipServiceBlockingStub calls = MembershipServiceGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
        RegisterRequest joining = RegisterRequest.newBuilder()
                .setCluster("c")
                .setProcess("p")
                .setInstance("instance-0123456789")
                .setAddress("127.0.0.1:8085")
                .setPeerToken("0123456789abcdef0123456789abcdef")
                .build();
        try {
            assertThatThrownBy(() -> calls.register(joining))
                    .hasMessageContaining("UNAVAILABLE")
                    .hasMessageContaining("read-only");
        } finally {
            channel.shutdownNow();
        }
    }
}
