package dev.kvstore.control.security;

import static dev.kvstore.control.security.JoinedFleet.admin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.kvstore.control.TestDatabase;
import dev.kvstore.control.TestIssuer;
import dev.kvstore.protocol.control.v1.AccountServiceGrpc;
import dev.kvstore.protocol.control.v1.GetRouteRequest;
import dev.kvstore.protocol.control.v1.HeartbeatRequest;
import dev.kvstore.protocol.control.v1.MembershipServiceGrpc;
import dev.kvstore.protocol.control.v1.ResolveRequest;
import dev.kvstore.protocol.control.v1.ResolveResponse;
import dev.kvstore.protocol.control.v1.RouteServiceGrpc;
import dev.kvstore.protocol.control.v1.WatchRequest;
import dev.kvstore.protocol.control.v1.WatchResponse;
import dev.kvstore.testing.Patience;
import dev.kvstore.testing.RawCalls;
import grpc.health.v1.HealthGrpc;
import grpc.health.v1.HealthOuterClass.HealthCheckRequest;
import grpc.health.v1.HealthOuterClass.HealthCheckResponse;
import grpc.health.v1.HealthOuterClass.HealthCheckResponse.ServingStatus;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Neither a stranger, nor another cluster, nor another tenant keeps a caller from its calls. */
@QuarkusTest
@QuarkusTestResource(TestDatabase.class)
@QuarkusTestResource(TestIssuer.class)
class StrangersTest {
    /** As many calls as a connection may have, but for one. */
    private static final int CALLS = 199;

    @ConfigProperty(name = "quarkus.grpc.server.test-port")
    int grpcPort;

    @ConfigProperty(name = "kvstore.max-connections")
    int maxConnections;

    @Inject
    @SuppressWarnings("NullAway.Init")
    DataSource database;

    private final List<HalfSentCalls> attackers = new ArrayList<>();

    @SuppressWarnings("NullAway.Init")
    private HalfSentCalls honest;

    @BeforeEach
    void begin() {
        honest = new HalfSentCalls("127.0.0.1", grpcPort);
    }

    @AfterEach
    void end() {
        attackers.forEach(HalfSentCalls::close);
        honest.close();
    }

    private HalfSentCalls attacker(String address) {
        HalfSentCalls attacker = new HalfSentCalls(address, grpcPort);
        attackers.add(attacker);
        return attacker;
    }

    private static String key(String tenant) {
        admin().body(Map.of()).put("/v1/tenants/" + tenant);
        return admin().post("/v1/tenants/" + tenant + "/keys")
                .then()
                .statusCode(201)
                .extract()
                .path("key");
    }

    /** How a question about a route is answered that the key has no right to. */
    private static Status.Code route(ManagedChannel channel, String key) {
        try {
            var _ = RouteServiceGrpc.newBlockingStub(channel)
                    .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(RawCalls.headers("Bearer " + key)))
                    .withDeadlineAfter(Patience.LIMIT)
                    .getRoute(GetRouteRequest.newBuilder()
                            .setResourceName("nobodys")
                            .build());
            return Status.Code.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode();
        }
    }

    @Test
    void healthIsAnsweredBesideHalfSentChecks() {
        var _ = attacker("127.0.0.2").begin(HealthGrpc.getCheckMethod(), "kv_madeup_secret", 1, CALLS);

        assertThat(HealthGrpc.newBlockingStub(honest.connect())
                        .withDeadlineAfter(Patience.LIMIT)
                        .check(HealthCheckRequest.getDefaultInstance())
                        .getStatus())
                .isEqualTo(ServingStatus.SERVING);
    }

    @Test
    void halfSentChecksEndNobodysWatch() {
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        CompletableFuture<ServingStatus> heard = new CompletableFuture<>();
        HealthGrpc.newStub(honest.connect()).watch(HealthCheckRequest.getDefaultInstance(), new StreamObserver<>() {
            @Override
            public void onNext(HealthCheckResponse health) {
                heard.complete(health.getStatus());
            }

            @Override
            public void onError(Throwable reason) {
                ended.complete(reason);
            }

            @Override
            public void onCompleted() {
                ended.complete(new AssertionError("it ended"));
            }
        });
        assertThat(heard.join()).isEqualTo(ServingStatus.SERVING);

        List<CompletableFuture<Status>> others =
                attacker("127.0.0.2").begin(HealthGrpc.getCheckMethod(), "kv_madeup_secret", 40, 30);

        await().atMost(Patience.LIMIT)
                .until(() -> others.stream()
                                .filter(other ->
                                        other.isDone() && other.join().getCode() == Status.Code.RESOURCE_EXHAUSTED)
                                .count()
                        > 100);
        assertThat(ended).isNotDone();
    }

    @Test
    void routesAreAnsweredBesideHalfSentCallsWithMadeUpKeys() {
        String key = key("beside-strangers");
        for (String address : List.of("127.0.0.2", "127.0.0.3")) {
            var _ = attacker(address).begin(RouteServiceGrpc.getGetRouteMethod(), "kv_madeup_secret", 51, CALLS);
        }

        assertThat(route(honest.connect(), key)).isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    @Test
    void aClustersHeartbeatsAreTakenBesideHalfSentOnesOfAnother() {
        JoinedFleet.cluster("r-strangers", "healthy");
        JoinedFleet.cluster("r-rogue", "rogue");
        try (JoinedFleet fleet = new JoinedFleet(grpcPort)) {
            MembershipServiceGrpc.MembershipServiceBlockingStub member = fleet.membership(JoinedFleet.token("healthy"));
            String lease = member.register(JoinedFleet.joining("healthy", "p1", "10.9.0.1:8085"))
                    .getLease();
            var _ = attacker("127.0.0.2")
                    .begin(MembershipServiceGrpc.getHeartbeatMethod(), JoinedFleet.token("rogue"), 13, CALLS);

            assertThat(member.heartbeat(HeartbeatRequest.newBuilder()
                                    .setLease(lease)
                                    .build())
                            .hasInstructions())
                    .isTrue();
        }
    }

    @Test
    void aProcessJoinsWhileJoinsOfAnotherClusterTakeLong() throws Exception {
        JoinedFleet.cluster("r-strangers", "healthy");
        JoinedFleet.cluster("r-rogue", "rogue");
        MembershipServiceGrpc.MembershipServiceStub rogue = MembershipServiceGrpc.newStub(
                        attacker("127.0.0.2").connect())
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(
                        RawCalls.headers("Bearer " + JoinedFleet.token("rogue"))));
        try (JoinedFleet fleet = new JoinedFleet(grpcPort);
                Connection connection = database.getConnection();
                Statement lock = connection.createStatement()) {
            MembershipServiceGrpc.MembershipServiceBlockingStub member = fleet.membership(JoinedFleet.token("healthy"));
            connection.setAutoCommit(false);
            lock.executeQuery("select from cluster where name = 'rogue' for update")
                    .close();
            for (int i = 0; i < 40; i++) {
                rogue.register(JoinedFleet.joining("rogue", "p" + i, "10.9.1." + i + ":8085"), new Unheard<>());
            }
            await().atMost(Patience.LIMIT).until(() -> waitingForLocks() >= 3);

            assertThat(member.register(JoinedFleet.joining("healthy", "p2", "10.9.0.2:8085"))
                            .getLease())
                    .isNotEmpty();
            connection.rollback();
        }
    }

    private int waitingForLocks() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement select = connection.createStatement();
                ResultSet row = select.executeQuery(
                        "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")) {
            row.next();
            return row.getInt(1);
        }
    }

    /** Whose answer does not matter. */
    private static final class Unheard<T> implements StreamObserver<T> {
        @Override
        public void onNext(T message) {}

        @Override
        public void onError(Throwable reason) {}

        @Override
        public void onCompleted() {}
    }

    @Test
    void anAnswerThatNobodyReadsKeepsTheSlotOfItsCall() {
        JoinedFleet.cluster("r-rogue", "rogue");
        String token = JoinedFleet.token("rogue");
        AtomicInteger refused = new AtomicInteger();
        for (int i = 0; i < 3; i++) {
            ManagedChannel unread = attacker("127.0.0.2").connectUnread();
            for (int c = 0; c < CALLS; c++) {
                ClientCall<ResolveRequest, ResolveResponse> call =
                        unread.newCall(AccountServiceGrpc.getResolveMethod(), CallOptions.DEFAULT);
                call.start(
                        new ClientCall.Listener<>() {
                            @Override
                            public void onClose(Status status, Metadata trailers) {
                                if (status.getCode() == Status.Code.RESOURCE_EXHAUSTED) {
                                    refused.incrementAndGet();
                                }
                            }
                        },
                        RawCalls.headers("Bearer " + token));
                call.sendMessage(ResolveRequest.newBuilder()
                        .setKeyId("nobody")
                        .setKeySha256(ByteString.copyFrom(new byte[32]))
                        .build());
                call.halfClose();
            }
        }

        // There are slots for 512 questions.
        await().atMost(Patience.LIMIT).until(() -> refused.get() > 50);
        JoinedFleet.cluster("r-strangers", "healthy");
        try (JoinedFleet fleet = new JoinedFleet(grpcPort)) {
            assertThat(fleet.accounts(JoinedFleet.token("healthy"))
                            .resolve(ResolveRequest.newBuilder()
                                    .setKeyId("nobody")
                                    .setKeySha256(ByteString.copyFrom(new byte[32]))
                                    .build())
                            .hasUnknownKey())
                    .isTrue();
        }
    }

    @Test
    void aHalfSentCallEndsAlsoWhereTheCredentialIsGood() throws Exception {
        JoinedFleet.cluster("r-half", "half");
        List<CompletableFuture<Status>> ends = new ArrayList<>();
        ends.addAll(attacker("127.0.0.2")
                .begin(MembershipServiceGrpc.getHeartbeatMethod(), JoinedFleet.token("half"), 1, 1));
        ends.addAll(attacker("127.0.0.3").begin(RouteServiceGrpc.getWatchRouteMethod(), key("half"), 1, 1));

        for (CompletableFuture<Status> end : ends) {
            assertThat(end.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS).getCode())
                    .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
        }
    }

    @Test
    void aTenantsClientConnectsWhileAClusterHoldsAllConnections() {
        String key = key("modest");
        JoinedFleet.cluster("r-greedy", "greedy");
        Metadata token = RawCalls.headers("Bearer " + JoinedFleet.token("greedy"));
        HalfSentCalls crowd = attacker("127.0.0.2");
        for (int i = 0; i < maxConnections; i++) {
            Iterator<WatchResponse> watch = AccountServiceGrpc.newBlockingStub(crowd.connect())
                    .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(token))
                    .watch(WatchRequest.newBuilder().setRegion("r-greedy").build());
            assertThat(isWatchedOrRefused(watch)).isTrue();
        }

        assertThat(route(honest.connect(), key)).isEqualTo(Status.Code.PERMISSION_DENIED);
    }

    /** A cluster has few Watch calls; a connection on which one is refused has shown the token, too. */
    private static boolean isWatchedOrRefused(Iterator<WatchResponse> watch) {
        try {
            return watch.next().getChange() >= 0;
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode() == Status.Code.RESOURCE_EXHAUSTED;
        }
    }
}
