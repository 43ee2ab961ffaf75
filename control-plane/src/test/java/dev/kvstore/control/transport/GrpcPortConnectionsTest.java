package dev.kvstore.control.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.listener.BalancerAddresses;
import io.grpc.Attributes;
import io.grpc.Grpc;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** {@link GrpcPortConnections}: silent ones go, proven ones stay. */
class GrpcPortConnectionsTest {
    private static final int LIMIT = 3;
    private static final int PER_SECOND = 50;

    private final GrpcPortConnections connections =
            new GrpcPortConnections(LIMIT, PER_SECOND, new SimpleMeterRegistry());

    /** A channel that has a peer, and time that a test moves. */
    private static final class PortChannel extends EmbeddedChannel {
        private final int port;

        PortChannel(int port) {
            this.port = port;
            freezeTime();
        }

        @Override
        protected SocketAddress remoteAddress0() {
            return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        }

        Attributes attributes() {
            return Attributes.newBuilder()
                    .set(Grpc.TRANSPORT_ATTR_REMOTE_ADDR, remoteAddress())
                    .build();
        }
    }

    private PortChannel accept(int port) {
        PortChannel channel = new PortChannel(port);
        connections.accepted(channel, BalancerAddresses.of(BalancerAddresses.NO_ADDRESS));
        return channel;
    }

    private void resetCalls(PortChannel channel, int count) throws Http2Exception {
        Http2Connection http2 = new DefaultHttp2Connection(true);
        http2.addListener(new GuardedProtocol.Resets(connections, channel));
        for (int i = 0; i < count; i++) {
            http2.remote().createStream(2 * i + 1, false).close();
        }
    }

    @Test
    void oneThatResetsCallsAndHasProvenNothingGoes() throws Http2Exception {
        PortChannel silent = accept(1);
        PortChannel proven = accept(2);
        connections.proven(proven.attributes());

        resetCalls(silent, GrpcPortConnections.RESETS - 1);
        assertThat(silent.isOpen()).isTrue();
        resetCalls(silent, GrpcPortConnections.RESETS);
        resetCalls(proven, GrpcPortConnections.RESETS);

        assertThat(silent.isOpen()).isFalse();
        assertThat(proven.isOpen()).isTrue();
    }

    @Test
    void aClientBehindALoadBalancerThatConnectsTooFastIsRefused() {
        InetSocketAddress client = new InetSocketAddress(InetAddress.ofLiteral("198.51.100.2"), 1);
        InetSocketAddress other = new InetSocketAddress(InetAddress.ofLiteral("198.51.100.3"), 1);
        PortChannel channel = accept(1);
        int turns = 0;
        while (turns < 10_000 && connections.comesFrom(client, channel)) {
            turns++;
        }

        assertThat(turns).isBetween(5 * PER_SECOND, 6 * PER_SECOND);
        assertThat(connections.comesFrom(other, channel)).isTrue();
    }

    @Test
    void aClientBehindALoadBalancerThatHasAGoodCredentialTakesNoTurn() {
        InetSocketAddress client = new InetSocketAddress(InetAddress.ofLiteral("198.51.100.2"), 1);
        for (int i = 0; i < 100 * PER_SECOND; i++) {
            PortChannel channel = accept(1);
            assertThat(connections.comesFrom(client, channel))
                    .as("connection %d", i)
                    .isTrue();
            connections.proven(channel.attributes());
            var _ = channel.close();
        }
    }

    @Test
    void aConnectionThatIsClosedForItsResetsCountsAsManyOfItsAddress() throws Http2Exception {
        PortChannel flooding = accept(1);
        InetSocketAddress client = new InetSocketAddress(InetAddress.ofLiteral("198.51.100.2"), 1);
        assertThat(connections.comesFrom(client, flooding)).isTrue();
        connections.proven(flooding.attributes());
        Http2Connection http2 = new DefaultHttp2Connection(true);
        http2.addListener(new GuardedProtocol.Resets(connections, flooding));
        for (int i = 0; i < 6 * PER_SECOND * GrpcPortConnections.RESETS; i++) {
            http2.remote().createStream(2 * i + 1, false).close();
        }

        http2.goAwaySent(1, Http2Error.ENHANCE_YOUR_CALM.code(), Unpooled.EMPTY_BUFFER);

        assertThat(connections.comesFrom(client, accept(2))).isFalse();
    }

    @Test
    void theOldestSilentOneGoesWhenThereAreEnough() {
        PortChannel first = accept(1);
        PortChannel second = accept(2);
        PortChannel third = accept(3);
        connections.proven(first.attributes());

        PortChannel fourth = accept(4);

        assertThat(second.isOpen()).isFalse();
        assertThat(first.isOpen() && third.isOpen() && fourth.isOpen()).isTrue();
        assertThat(connections.open()).isEqualTo(LIMIT);
    }

    @Test
    void whereAllAreProvenTheNewOneGoes() {
        for (int port = 1; port <= LIMIT; port++) {
            connections.proven(accept(port).attributes());
        }

        assertThat(accept(9).isOpen()).isFalse();
        assertThat(connections.open()).isEqualTo(LIMIT);
    }

    @Test
    void aSilentOneIsClosedAfterAWhileAndAProvenOneIsNot() {
        PortChannel silent = accept(1);
        PortChannel proven = accept(2);
        connections.proven(proven.attributes());

        for (PortChannel channel : new PortChannel[] {silent, proven}) {
            channel.advanceTimeBy(GrpcPortConnections.SILENT.toNanos(), TimeUnit.NANOSECONDS);
            channel.runScheduledPendingTasks();
        }

        assertThat(silent.isOpen()).isFalse();
        assertThat(proven.isOpen()).isTrue();
        assertThat(connections.open()).isEqualTo(1);
    }

    @Test
    void aConnectionThatLeavesMakesRoom() {
        var _ = accept(1).close();

        assertThat(connections.open()).isZero();
    }
}
