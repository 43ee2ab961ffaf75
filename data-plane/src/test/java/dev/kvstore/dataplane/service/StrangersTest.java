package dev.kvstore.dataplane.service;

import static dev.kvstore.dataplane.account.control.ControlPlanePeer.right;
import static dev.kvstore.protocol.control.v1.Right.Access.READ;
import static dev.kvstore.protocol.control.v1.Right.Access.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.kvstore.dataplane.account.control.ControlPlaneFixture;
import dev.kvstore.dataplane.call.CallAdmission;
import dev.kvstore.dataplane.call.Strangers;
import dev.kvstore.dataplane.server.DataPlaneFixture;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.listener.AddressGroup;
import dev.kvstore.protocol.v1.PromptChunk;
import dev.kvstore.testing.Patience;
import grpc.health.v1.HealthGrpc;
import grpc.health.v1.HealthOuterClass.HealthCheckRequest;
import grpc.health.v1.HealthOuterClass.HealthCheckResponse;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.stub.ClientCalls;
import io.netty.handler.codec.http2.Http2Error;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Callers without a good key attack, and a client with one loses no call. */
@Tag("slow")
final class StrangersTest {
    private static final String WRITE_METHOD = "kvstore.v1.KVStoreService/Write";
    private static final String HEALTH_METHOD = "grpc.health.v1.Health/Check";
    private static final int CLAIMED = 64 << 20;

    private final ControlPlaneFixture control = new ControlPlaneFixture();
    private final List<RawClientConnection> attackers = new ArrayList<>();
    private final List<ManagedChannel> channels = new ArrayList<>();
    private final List<Socket> mute = new ArrayList<>();
    private DataPlaneFixture server = start(Map.of());
    private int calls = 1;

    private DataPlaneFixture start(Map<String, String> settings) {
        control.peer().grant(DataPlaneFixture.KEY, DataPlaneFixture.RESOURCE, right(READ), right(WRITE));
        Map<String, String> all = new HashMap<>(Map.of("memory-tier-size", "8M", "inbound-memory", "72M"));
        all.putAll(settings);
        return new DataPlaneFixture(control.watching(), _ -> new MemoryStore(), all);
    }

    private void restart(Map<String, String> settings) {
        server.close();
        server = start(settings);
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : mute) {
            socket.close();
        }
        attackers.forEach(RawClientConnection::close);
        channels.forEach(ManagedChannel::shutdownNow);
        try {
            Awaitility.await().atMost(Patience.LIMIT).untilAsserted(() -> {
                assertThat(server.inboundBytes()).isZero();
                assertThat(server.admission().blocks().running()).isZero();
            });
        } finally {
            server.close();
            control.close();
        }
    }

    private RawClientConnection attacker() {
        RawClientConnection attacker = new RawClientConnection(server.port());
        attackers.add(attacker);
        return attacker;
    }

    private void honestCalls(int count) {
        for (int i = 0; i < count; i++) {
            PromptChunk chunk = TestChains.first(TestChains.buffer(1000, i), i);
            assertThatCode(() -> server.stub().write(TestChains.write(DataPlaneFixture.RESOURCE, chunk)))
                    .as("an honest client's call " + i)
                    .doesNotThrowAnyException();
        }
    }

    /** A frame is in memory until it is whole. */
    @Test
    void aConnectionWithoutAGoodKeyMaySendOnlyTheSmallestFrames() {
        RawClientConnection attacker = attacker();
        attacker.call(1, WRITE_METHOD, "kv_x_made-up");
        attacker.oneFrame(1, 16 * 1024 + 1);
        attacker.awaitGone();

        assertThat(attacker.reason()).isEqualTo(Http2Error.FRAME_SIZE_ERROR.code());
    }

    @Test
    void aConnectionWithAGoodKeyMaySendFramesOf256KiB() {
        RawClientConnection client = attacker();
        client.call(1, WRITE_METHOD, DataPlaneFixture.KEY);
        client.awaitFrames(256 * 1024);
        client.oneFrame(1, 256 * 1024);
        client.settle();

        assertThat(client.isClosed()).isFalse();
    }

    @Test
    void halfSentWritesWithMadeUpKeysTakeNoPlaceOfAnotherClient() {
        honestCalls(1);
        for (int connection = 0; connection < 4; connection++) {
            RawClientConnection attacker = attacker();
            for (int i = 0; i < 75; i++) {
                int stream = 2 * i + 1;
                attacker.call(stream, WRITE_METHOD, "kv_" + connection + "x" + i + "_made-up");
                attacker.halfMessage(stream, 1 << 20, 1000);
            }
            attacker.settle();
        }

        honestCalls(40);
        assertThat(server.admission().blocks().refused(CallAdmission.AdmissionRefusal.OPERATIONS))
                .isZero();
    }

    @Test
    void halfSentMessagesToTheHealthServiceTakeNoMemoryOfOtherCalls() {
        honestCalls(1);
        for (int i = 0; i < 10; i++) {
            RawClientConnection attacker = attacker();
            attacker.call(1, HEALTH_METHOD, null);
            attacker.halfMessage(1, CLAIMED, 8 << 20);
            attacker.settle();
        }

        honestCalls(20);
        assertThat(health()).isEqualTo(HealthCheckResponse.ServingStatus.SERVING);
    }

    @Test
    void silentConnectionsKeepNoOtherClientOut() {
        restart(Map.of("max-connections", "20"));
        honestCalls(1);
        for (int i = 0; i < 20; i++) {
            var _ = attacker();
            mute();
        }

        for (int i = 0; i < 3; i++) {
            ManagedChannel channel = server.channel();
            channels.add(channel);
            PromptChunk chunk = TestChains.first(TestChains.buffer(1000, i), i);
            assertThatCode(() -> server.stub(channel).write(TestChains.write(DataPlaneFixture.RESOURCE, chunk)))
                    .as("the first call on new connection " + i)
                    .doesNotThrowAnyException();
        }
        honestCalls(5);
    }

    @Test
    void connectionsFromOneAddressDoNotPushOutSilentOnesOfAnother() {
        restart(Map.of("max-connections", "10"));
        RawClientConnection first = attacker();
        for (int i = 0; i < 30; i++) {
            RawClientConnection attacker = new RawClientConnection("127.0.0.2", server.port());
            attackers.add(attacker);
        }

        first.call(1, HEALTH_METHOD, null);
        first.message(1, new byte[0]);
        first.awaitEnd(1);

        assertThat(first.isClosed()).isFalse();
        assertThat(server.connections().open()).isLessThanOrEqualTo(10 + 8);
    }

    /** Sockets that say nothing; a server that closes one ends its stream. */
    private void connectMute(String from, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            mute.add(new Socket("127.0.0.1", server.port(), InetAddress.getByName(from), 0));
        }
    }

    @Test
    void anAddressThatBeginsConnectionsTooFastWaitsAndOthersDoNot() throws IOException {
        restart(Map.of("max-new-connections", "1"));
        honestCalls(1); // on the first connection, which has the listener guarded
        connectMute("127.0.0.2", 5);
        Awaitility.await()
                .atMost(Patience.LIMIT)
                .until(() -> server.connections().open() == 1 + 5);

        connectMute("127.0.0.2", 40);
        RawClientConnection other = new RawClientConnection("127.0.0.3", server.port());
        attackers.add(other);
        other.call(1, HEALTH_METHOD, null);
        other.message(1, new byte[0]);
        other.awaitEnd(1);

        assertThat(server.connections().open()).as("those that had a turn").isLessThan(1 + 5 + 40);
        int closed = 0;
        for (Socket socket : mute) {
            socket.setSoTimeout(1);
            closed += isClosed(socket) ? 1 : 0;
        }
        assertThat(closed).as("those whose turn would have come too late").isGreaterThan(20);
    }

    private static boolean isClosed(Socket socket) throws IOException {
        try {
            while (true) {
                if (socket.getInputStream().read() < 0) {
                    return true;
                }
            }
        } catch (java.net.SocketTimeoutException open) {
            return false;
        } catch (java.net.SocketException reset) {
            return true;
        }
    }

    @Test
    void aTenantThatResetsCallsWithoutEndMayNotDoSoAgainAtOnceOnANewConnection() {
        restart(Map.of("max-new-connections", "10"));
        honestCalls(1);
        RawClientConnection tenant = new RawClientConnection("127.0.0.2", server.port());
        attackers.add(tenant);
        tenant.call(1, WRITE_METHOD, DataPlaneFixture.KEY);
        tenant.awaitRoom(64 << 20);
        for (int stream = 3; !tenant.isClosed() && stream < 40_000; stream += 2) {
            tenant.call(stream, WRITE_METHOD, DataPlaneFixture.KEY);
            tenant.reset(stream);
        }
        tenant.awaitGone();

        assertThat(server.connections().turns().turnAtOnce(origin("127.0.0.2"))).isFalse();
        assertThat(server.connections().turns().turnAtOnce(origin("127.0.0.1"))).isTrue();
        honestCalls(1);
    }

    private static Object origin(String address) {
        return AddressGroup.of(new InetSocketAddress(address, 1));
    }

    @Test
    void clientsWithAGoodKeyConnectAsOftenAsTheyLike() {
        restart(Map.of("max-new-connections", "1"));
        for (int i = 0; i < 20; i++) {
            RawClientConnection tenant = new RawClientConnection("127.0.0.2", server.port());
            tenant.call(1, WRITE_METHOD, DataPlaneFixture.KEY);
            tenant.awaitRoom(64 << 20);
            tenant.reset(1);
            tenant.close();
        }
        honestCalls(1);
    }

    @Test
    void idleConnectionsOfAnAddressThatHasAllMakeRoomForAnother() {
        restart(Map.of("max-connections", "4"));
        honestCalls(1); // from 127.0.0.1
        for (int i = 0; i < 3; i++) {
            RawClientConnection tenant = new RawClientConnection("127.0.0.2", server.port());
            attackers.add(tenant);
            tenant.call(1, WRITE_METHOD, DataPlaneFixture.KEY);
            tenant.reset(1);
            tenant.settle();
        }

        RawClientConnection newcomer = new RawClientConnection("127.0.0.3", server.port());
        attackers.add(newcomer);
        newcomer.call(1, WRITE_METHOD, DataPlaneFixture.KEY);
        newcomer.awaitRoom(64 << 20);
        attackers.getFirst().awaitGone();

        assertThat(newcomer.isClosed()).isFalse();
        newcomer.reset(1);
        honestCalls(1);
    }

    @Test
    void aConnectionThatSaysNothingIsClosedAndOneThatAsksForHealthStays() {
        RawClientConnection probe = attacker();
        probe.call(1, HEALTH_METHOD, null);
        probe.message(1, new byte[0]);
        probe.awaitEnd(1);
        RawClientConnection silent = attacker();

        silent.awaitGone();
        probe.settle();

        assertThat(probe.isClosed()).isFalse();
    }

    @Test
    void aConnectionThatShowsNothingButMadeUpKeysIsClosed() {
        RawClientConnection attacker = attacker();
        for (int i = 0; i < 150 && !attacker.isClosed(); i++) {
            attacker.call(2 * i + 1, WRITE_METHOD, "kv_x" + i + "_made-up");
            attacker.reset(2 * i + 1);
        }

        attacker.awaitGone();
        assertThat(attacker.reason()).isEqualTo(Http2Error.ENHANCE_YOUR_CALM.code());
        honestCalls(5);
    }

    @Test
    void aConnectionThatResetsItsCallsBeforeTheyAreAnsweredIsClosedAsSoon() {
        RawClientConnection attacker = attacker();
        for (int i = 0; i < 150 && !attacker.isClosed(); i++) {
            attacker.call(2 * i + 1, HEALTH_METHOD, null);
            attacker.reset(2 * i + 1);
        }

        attacker.awaitGone();
        assertThat(attacker.reason()).isEqualTo(Http2Error.ENHANCE_YOUR_CALM.code());
    }

    @Test
    void aConnectionMaySendLittleBeforeItHasShownAGoodKeyAndAllAfterwards() {
        RawClientConnection client = attacker();
        client.settle();
        assertThat(client.room()).isEqualTo(65_535);

        client.call(1, WRITE_METHOD, "kv_0_made-up");
        client.awaitEnd(1);
        assertThat(client.room()).isEqualTo(65_535);
        client.call(3, WRITE_METHOD, DataPlaneFixture.KEY);

        client.awaitRoom(64 << 20);
        client.reset(3);
    }

    @Test
    void aClientThatAcknowledgesItsFirstSettingsLateKeepsWhatItWasGiven() {
        RawClientConnection client = new RawClientConnection("127.0.0.1", server.port(), true);
        attackers.add(client);
        client.call(1, WRITE_METHOD, DataPlaneFixture.KEY);
        client.awaitRoom(64 << 20);

        client.acknowledgeAll();
        client.halfMessage(1, CLAIMED, 1 << 20);
        client.settle();

        assertThat(client.isClosed()).isFalse();
        client.reset(1);
    }

    @Test
    void aKeyThatWasTakenBackHoldsNothing() {
        honestCalls(1);
        control.peer().revokeKey(DataPlaneFixture.KEY);
        RawClientConnection client = attacker();
        Awaitility.await().atMost(Patience.LIMIT).until(() -> {
            long before = server.strangers().refused(Strangers.StrangerRefusal.UNKNOWN_KEY);
            client.call(calls += 2, WRITE_METHOD, DataPlaneFixture.KEY);
            client.halfMessage(calls, CLAIMED, 1000);
            client.settle();
            client.reset(calls);
            client.settle();
            return server.strangers().refused(Strangers.StrangerRefusal.UNKNOWN_KEY) > before;
        });
    }

    @Test
    void halfSentMessagesOfOneKeyLeaveMemoryForAnother() {
        restart(Map.of("inbound-memory", "140M"));
        honestCalls(1);
        String other = "kv_1b2c3d4e_another-that-is-good";
        control.peer().grant(other, DataPlaneFixture.RESOURCE, right(READ), right(WRITE));
        for (int i = 0; i < 3; i++) {
            RawClientConnection attacker = attacker();
            attacker.call(1, WRITE_METHOD, other);
            attacker.halfMessage(1, CLAIMED, 50 << 20);
        }

        honestCalls(10);
        assertThat(server.admission().blocks().refused(CallAdmission.AdmissionRefusal.INBOUND))
                .isZero();
        assertThat(server.admission().blocks().refused(CallAdmission.AdmissionRefusal.INBOUND_SHARE))
                .isPositive();
    }

    @Test
    void aPeersMessageIsShort() {
        restart(Map.of("cluster", "here"));
        RawClientConnection attacker = attacker();
        attacker.call(1, "kvstore.peer.v1.PeerService/Announce", server.peerToken());
        attacker.halfMessage(1, CLAIMED, 8 << 20);

        attacker.awaitEnd(1);
        honestCalls(5);
    }

    @Test
    void rapidResetEndsTheConnection() {
        honestCalls(1);
        RawClientConnection attacker = attacker();
        for (int stream = 1; stream < 60_000 && !attacker.isClosed(); stream += 2) {
            attacker.call(stream, WRITE_METHOD, DataPlaneFixture.KEY);
            attacker.reset(stream);
        }

        attacker.awaitGone();
        honestCalls(5);
    }

    @Test
    void aFloodOfPingsEndsTheConnection() {
        RawClientConnection attacker = attacker();
        for (int i = 0; i < 100 && !attacker.isClosed(); i++) {
            attacker.ping();
        }

        attacker.awaitGone();
    }

    @Test
    void headersWithoutEndEndTheConnection() {
        RawClientConnection attacker = attacker();
        attacker.headersWithoutEnd(1);
        for (int i = 0; i < 100 && !attacker.isClosed(); i++) {
            attacker.moreHeaders(1, 8 * 1024);
        }

        attacker.awaitGone();
        honestCalls(5);
    }

    /** A connection that does not even begin to speak. */
    private void mute() {
        try {
            mute.add(new Socket(InetAddress.getLoopbackAddress(), server.port()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private HealthCheckResponse.ServingStatus health() {
        ManagedChannel channel = server.channel();
        channels.add(channel);
        return ClientCalls.blockingUnaryCall(
                        channel,
                        HealthGrpc.getCheckMethod(),
                        CallOptions.DEFAULT.withDeadlineAfter(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS),
                        HealthCheckRequest.getDefaultInstance())
                .getStatus();
    }
}
