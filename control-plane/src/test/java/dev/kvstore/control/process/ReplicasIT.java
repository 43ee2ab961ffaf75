package dev.kvstore.control.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.kvstore.control.database.Database;
import dev.kvstore.protocol.control.v1.Capacity;
import dev.kvstore.protocol.control.v1.GetRouteRequest;
import dev.kvstore.protocol.control.v1.RegisterRequest;
import dev.kvstore.protocol.control.v1.WatchRequest;
import dev.kvstore.protocol.control.v1.WatchResponse;
import dev.kvstore.testing.FreePorts;
import dev.kvstore.testing.postgres.PostgresArchive;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.restassured.response.Response;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two control planes on one database: real processes, a real PostgreSQL that goes away and comes back. */
class ReplicasIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init")
    private static EmbeddedPostgres postgres;

    @SuppressWarnings("NullAway.Init")
    private static ControlPlaneInstance one;

    @SuppressWarnings("NullAway.Init")
    private static ControlPlaneInstance other;

    @BeforeAll
    static void start() throws Exception {
        postgres = startPostgres(FreePorts.one());
        Database database = new Database(postgres.getJdbcUrl("postgres", "postgres"), "postgres", "");
        one = ControlPlaneInstance.start(database, folder.resolve("one.log"));
        other = ControlPlaneInstance.start(database, folder.resolve("other.log"));
    }

    private static EmbeddedPostgres startPostgres(int port) throws Exception {
        return EmbeddedPostgres.builder()
                .setPgBinaryResolver(new PostgresArchive())
                .setPort(port)
                .setDataDirectory(folder.resolve("postgresql"))
                .setCleanDataDirectory(false)
                .setPGStartupWait(PATIENCE)
                .start();
    }

    /** Until they have the database again. */
    private static void awaitBoth() {
        for (ControlPlaneInstance replica : List.of(one, other)) {
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(replica.admin()
                                    .body(Map.of())
                                    .put("/v1/tenants/back")
                                    .statusCode())
                            .isIn(200, 201));
        }
    }

    @AfterAll
    static void stop() throws Exception {
        one.close();
        other.close();
        postgres.close();
    }

    @Test
    void ofTwoConflictingPutsOnTwoReplicasOneWinsAndOneIsTold() {
        for (int i = 0; i < 20; i++) {
            String path = "/v1/tenants/contested-" + i;
            String tag = one.admin().body(Map.of()).put(path).header("ETag");
            List<Integer> statuses = Stream.of(one, other)
                    .map(replica -> CompletableFuture.supplyAsync(
                            () -> replica.admin()
                                    .header("If-Match", tag)
                                    .body(Map.of("displayName", "of " + replica.hashCode()))
                                    .put(path)
                                    .statusCode(),
                            Thread::startVirtualThread))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .toList();

            assertThat(statuses).containsExactlyInAnyOrder(200, 412);
        }
    }

    @Test
    void aWatchOnEitherHearsOfTheChangesOfBoth() {
        one.admin().body(Map.of()).put("/v1/tenants/watched");
        for (ControlPlaneInstance watching : List.of(one, other)) {
            Iterator<WatchResponse> watch = watching.calls().watch(WatchRequest.getDefaultInstance());
            watch.next();
            for (ControlPlaneInstance changing : List.of(one, other)) {
                String key = changing.admin().post("/v1/tenants/watched/keys").path("id");
                WatchResponse heard = watch.next();
                while (!heard.getKeyIdsList().contains(key)) {
                    heard = watch.next();
                }
            }
        }
    }

    @Test
    void withoutTheDatabaseWhoIsKnownIsRoutedAndNobodyElse() throws Exception {
        one.admin().body(Map.of()).put("/v1/tenants/routed");
        one.admin().body(Map.of()).put("/v1/regions/routed");
        one.admin().body(Map.of("region", "routed", "state", "active")).put("/v1/clusters/routed");
        one.admin()
                .body(Map.of(
                        "tenant",
                        "routed",
                        "replicas",
                        List.of(Map.of(
                                "region",
                                "routed",
                                "endpoint",
                                "https://routed.blob.core.windows.net",
                                "container",
                                "blocks",
                                "credential",
                                "managed-identity",
                                "vouched",
                                true))))
                .put("/v1/accounts/routed")
                .then()
                .statusCode(201);
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("update replica set state = 'READY' where resource_name = 'routed'");
        }
        String known = one.admin().post("/v1/tenants/routed/keys").path("key");
        String unknown = one.admin().post("/v1/tenants/routed/keys").path("key");
        var _ = other.membership()
                .register(RegisterRequest.newBuilder()
                        .setCluster("routed")
                        .setProcess("p0")
                        .setInstance("an-instance-of-p0")
                        .setAddress("10.9.0.1:8085")
                        .setPeerToken("0123456789abcdef0123456789abcdef")
                        .setCapacity(Capacity.newBuilder()
                                .setBytesPerSecond(1_000_000_000)
                                .setOperations(100)
                                .setCpus(4))
                        .build());
        GetRouteRequest question =
                GetRouteRequest.newBuilder().setResourceName("routed").build();
        await().atMost(PATIENCE)
                .until(() -> one.routes(known).getRoute(question).getLevelsCount() == 1);
        int port = postgres.getPort();
        postgres.close();
        try {
            assertThat(one.routes(known)
                            .getRoute(question)
                            .getLevels(0)
                            .getTargets(0)
                            .getProcess())
                    .isEqualTo("p0");
            assertThatThrownBy(() -> one.routes(unknown).getRoute(question))
                    .isInstanceOfSatisfying(
                            StatusRuntimeException.class,
                            e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
        } finally {
            postgres = startPostgres(port);
            awaitBoth();
        }
    }

    @Test
    void withoutTheDatabaseRestAnswers503AndNothingHasToBeRestarted() throws Exception {
        int port = postgres.getPort();
        postgres.close();
        try {
            await().atMost(PATIENCE).untilAsserted(() -> {
                Response answer = one.admin().get("/v1/tenants");
                assertThat(answer.statusCode()).isEqualTo(503);
                assertThat(answer.contentType()).isEqualTo("application/problem+json");
            });
            assertThat(one.admin().body(Map.of()).put("/v1/tenants/away").statusCode())
                    .isEqualTo(503);
        } finally {
            postgres = startPostgres(port);
        }

        awaitBoth();
        assertThat(one.isAlive() && other.isAlive()).isTrue();
        Iterator<WatchResponse> watch = other.calls().watch(WatchRequest.getDefaultInstance());
        assertThat(watch.next().getChange()).isPositive();
    }
}
