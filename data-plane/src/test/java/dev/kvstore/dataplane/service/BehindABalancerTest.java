package dev.kvstore.dataplane.service;

import static dev.kvstore.dataplane.account.control.ControlPlanePeer.right;
import static dev.kvstore.protocol.control.v1.Right.Access.READ;
import static dev.kvstore.protocol.control.v1.Right.Access.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.kvstore.dataplane.account.control.ControlPlaneFixture;
import dev.kvstore.dataplane.call.Drain;
import dev.kvstore.dataplane.call.Strangers;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.testing.HeaderRelay;
import dev.kvstore.testing.Patience;
import dev.kvstore.testing.ProxyHeaders;
import dev.kvstore.testing.TestAuthority;
import io.grpc.ManagedChannel;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.handler.codec.http2.Http2Error;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections that a load balancer hands on count at the clients that it names. */
@Tag("slow")
final class BehindABalancerTest {
    private static final String BALANCER = "127.0.0.2";
    private static final String WRITE_METHOD = "kvstore.v1.KVStoreService/Write";
    private static final String HEALTH_METHOD = "grpc.health.v1.Health/Check";

    private final ControlPlaneFixture control = new ControlPlaneFixture();
    private final List<RawClientConnection> connections = new ArrayList<>();
    private DataPlaneFixture server = start(Map.of(), null);

    private DataPlaneFixture start(Map<String, String> settings, @Nullable Path trust) {
        control.peer().grant(DataPlaneFixture.KEY, DataPlaneFixture.RESOURCE, right(READ), right(WRITE));
        Map<String, String> all = new HashMap<>(Map.of("memory-tier-size", "8M", "inbound-memory", "72M"));
        all.put("proxy-protocol-from", BALANCER + ",127.0.1.0/24");
        all.putAll(settings);
        return new DataPlaneFixture(control.watching(), _ -> new MemoryStore(), all, trust);
    }

    private void restart(Map<String, String> settings) {
        server.close();
        server = start(settings, null);
    }

    @AfterEach
    void close() {
        connections.forEach(RawClientConnection::close);
        server.close();
        control.close();
    }

    /** A connection from an address of this machine that begins with these bytes. */
    private RawClientConnection from(String address, byte[] header) {
        RawClientConnection connection = new RawClientConnection(address, server.port(), header);
        connections.add(connection);
        return connection;
    }

    private RawClientConnection throughTheBalancer(String client) {
        return from(BALANCER, ProxyHeaders.of(client));
    }

    private static void askForHealth(RawClientConnection connection) {
        connection.call(1, HEALTH_METHOD, null);
        connection.message(1, new byte[0]);
        connection.awaitEnd(1);
    }

    @Test
    void manyConnectionsOfOneClientDoNotPushOutThoseOfAnother() {
        restart(Map.of("max-connections", "10"));
        RawClientConnection first = throughTheBalancer("198.51.100.1");
        for (int i = 0; i < 30; i++) {
            var _ = throughTheBalancer("198.51.100.2");
        }

        askForHealth(first);

        assertThat(first.isClosed()).isFalse();
        assertThat(server.connections().open()).isLessThanOrEqualTo(10 + 8);
    }

    @Test
    void aClientThatConnectsTooFastIsRefusedAndOthersAreNot() {
        restart(Map.of("max-new-connections", "1"));
        for (int i = 0; i < 5; i++) {
            var _ = throughTheBalancer("198.51.100.2");
        }

        RawClientConnection sixth = throughTheBalancer("198.51.100.2");
        RawClientConnection other = throughTheBalancer("198.51.100.3");

        sixth.awaitGone();
        askForHealth(other);
        assertThat(other.isClosed()).isFalse();
    }

    @Test
    void anIdleConnectionOfTheClientThatHasMostGoesForAnother() {
        restart(Map.of("max-connections", "3"));
        for (int i = 0; i < 3; i++) {
            RawClientConnection tenant = throughTheBalancer("198.51.100.2");
            tenant.call(1, WRITE_METHOD, DataPlaneFixture.KEY);
            tenant.reset(1);
            tenant.settle();
        }

        RawClientConnection newcomer = throughTheBalancer("198.51.100.3");
        newcomer.call(1, WRITE_METHOD, DataPlaneFixture.KEY);
        newcomer.awaitRoom(64 << 20);
        connections.getFirst().awaitGone();

        assertThat(newcomer.isClosed()).isFalse();
        newcomer.reset(1);
    }

    @Test
    void madeUpKeysOfOneClientUseUpNoOtherClientsAllowance() {
        for (int connection = 0; connection < 3; connection++) {
            RawClientConnection attacker = throughTheBalancer("198.51.100.2");
            for (int i = 0; i < 60; i++) {
                attacker.call(2 * i + 1, WRITE_METHOD, "kv_" + connection + "x" + i + "_made-up");
                attacker.awaitEnd(2 * i + 1);
            }
        }
        long busy = server.strangers().refused(Strangers.StrangerRefusal.BUSY);
        long unknown = server.strangers().refused(Strangers.StrangerRefusal.UNKNOWN_KEY);
        assertThat(busy).isPositive();

        RawClientConnection other = throughTheBalancer("198.51.100.3");
        other.call(1, WRITE_METHOD, "kv_other_made-up");
        other.awaitEnd(1);

        assertThat(server.strangers().refused(Strangers.StrangerRefusal.UNKNOWN_KEY))
                .isEqualTo(unknown + 1);
        assertThat(server.strangers().refused(Strangers.StrangerRefusal.BUSY)).isEqualTo(busy);
    }

    @Test
    void aConnectionOfTheBalancerWithoutAHeaderIsClosed() {
        RawClientConnection connection = from(BALANCER, new byte[0]);

        connection.awaitGone();

        awaitNoConnection();
    }

    @Test
    void aConnectionOfTheBalancerThatNeverFinishesItsHeaderIsClosedLikeASilentOne() throws IOException {
        byte[] header = ProxyHeaders.of("198.51.100.2");
        try (Socket socket = new Socket("127.0.0.1", server.port(), InetAddress.getByName(BALANCER), 0)) {
            socket.setSoTimeout(Math.toIntExact(Patience.LIMIT.toMillis()));
            socket.getOutputStream().write(header, 0, header.length - 1);

            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void aHeaderFromAnotherAddressIsRefused() {
        RawClientConnection connection = from("127.0.0.1", ProxyHeaders.of("198.51.100.2"));

        connection.awaitGone();

        awaitNoConnection();
    }

    /** The client may hear of the end first. */
    private void awaitNoConnection() {
        Awaitility.await()
                .atMost(Patience.LIMIT)
                .untilAsserted(() -> assertThat(server.connections().open()).isZero());
    }

    @Test
    void aHeaderOfVersion1IsRefused() {
        from(BALANCER, ProxyHeaders.ofVersion1("198.51.100.2")).awaitGone();
    }

    @Test
    void theBalancersOwnHealthProbeIsServed() {
        RawClientConnection probe = from("127.0.1.7", ProxyHeaders.ofItself());

        askForHealth(probe);

        assertThat(probe.isClosed()).isFalse();
    }

    @Test
    void theClientIsTheCallerOfEachCall() {
        askForHealth(throughTheBalancer("198.51.100.2"));

        assertThat(server.lastCaller())
                .isInstanceOfSatisfying(
                        InetSocketAddress.class,
                        caller ->
                                assertThat(caller.getAddress().getHostAddress()).isEqualTo("198.51.100.2"));
    }

    @Test
    void onceTheProcessDrainsAConnectionIsGivenUpForOneThatLeadsElsewhere() {
        restart(Map.of("drain-grace-period", "0s"));
        RawClientConnection connection = throughTheBalancer("198.51.100.2");
        connection.call(1, WRITE_METHOD, DataPlaneFixture.KEY);
        connection.awaitRoom(64 << 20);
        server.drain().wish(Drain.Wish.ASKED, true);

        connection.call(3, WRITE_METHOD, DataPlaneFixture.KEY);
        connection.awaitGone();

        assertThat(connection.reason()).isEqualTo(Http2Error.NO_ERROR.code());
        assertThat(server.connections().open()).isEqualTo(1);
        connection.reset(1);
    }

    @Test
    void whoConnectsWithoutTheBalancerIsServedAsEver() {
        RawClientConnection direct = from("127.0.0.3", new byte[0]);

        askForHealth(direct);

        assertThat(direct.isClosed()).isFalse();
        assertThatCode(() -> server.stub()
                        .write(TestChains.write(
                                DataPlaneFixture.RESOURCE, TestChains.first(TestChains.buffer(1000, 1), 1))))
                .doesNotThrowAnyException();
    }

    @Test
    void theHeaderComesBeforeTheHandshakeOfTls(@TempDir Path folder) throws IOException {
        TestAuthority authority = new TestAuthority(folder, "authority");
        TestAuthority.Issued own = authority.issue("server");
        server.close();
        server = start(
                Map.of("tls-cert", own.chain().toString(), "tls-key", own.key().toString()), authority.certificate());

        try (HeaderRelay balancer = new HeaderRelay(BALANCER, ProxyHeaders.of("198.51.100.2"), server.port())) {
            ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", balancer.port())
                    .sslContext(GrpcSslContexts.forClient()
                            .trustManager(authority.certificate().toFile())
                            .build())
                    .build();
            try {
                assertThatCode(() -> server.stub(channel)
                                .write(TestChains.write(
                                        DataPlaneFixture.RESOURCE, TestChains.first(TestChains.buffer(1000, 1), 1))))
                        .doesNotThrowAnyException();
            } finally {
                channel.shutdownNow();
            }
        }
    }
}
