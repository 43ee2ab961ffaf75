package dev.kvstore.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class ConnectionGateTest {
    private static final int AT_ONCE = 5;

    private final EmbeddedChannel listener = new EmbeddedChannel();
    private final List<Channel> letIn = new ArrayList<>();
    private final AtomicInteger refused = new AtomicInteger();
    private final BalancerAddresses balancers = BalancerAddresses.of("10.0.9.0/24");

    ConnectionGateTest() {
        listener.freezeTime();
        NewConnections turns = new NewConnections(1, () -> 0);
        listener.pipeline().addLast(new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                letIn.add((Channel) message);
            }
        });
        ConnectionGate.before(new GatedChannel(listener, "192.0.2.9"), turns, balancers, refused::incrementAndGet);
    }

    private static final class GatedChannel extends EmbeddedChannel {
        private final SocketAddress peer;

        GatedChannel(Channel parent, String peer) {
            super(parent, io.netty.channel.DefaultChannelId.newInstance(), true, false);
            this.peer = new InetSocketAddress(InetAddress.ofLiteral(peer), 40_000);
        }

        @Override
        protected SocketAddress remoteAddress0() {
            return peer;
        }
    }

    private GatedChannel accept(String peer) {
        GatedChannel accepted = new GatedChannel(listener, peer);
        listener.pipeline().fireChannelRead(accepted);
        return accepted;
    }

    private void accept(String peer, int count) {
        for (int i = 0; i < count; i++) {
            accept(peer);
        }
    }

    private void advance(long seconds) {
        listener.advanceTimeBy(seconds, TimeUnit.SECONDS);
        listener.runScheduledPendingTasks();
    }

    @Test
    void aConnectionWithATurnIsLetInAtOnce() {
        GatedChannel one = accept("192.0.2.1");

        assertThat(letIn).containsExactly(one);
    }

    @Test
    void aConnectionWithoutATurnWaitsForIt() {
        accept("192.0.2.1", AT_ONCE);
        GatedChannel late = accept("192.0.2.1");
        assertThat(letIn).hasSize(AT_ONCE).doesNotContain(late);

        advance(1);

        assertThat(letIn).contains(late);
    }

    @Test
    void aConnectionThatWouldWaitTooLongIsClosed() {
        accept("192.0.2.1", AT_ONCE + 5);
        GatedChannel tooLate = accept("192.0.2.1");

        assertThat(tooLate.isOpen()).isFalse();
        assertThat(refused).hasValue(1);
    }

    @Test
    void aFloodOfOneAddressLeavesTheOthersAlone() {
        accept("192.0.2.1", 1_000);

        GatedChannel other = accept("192.0.2.2");

        assertThat(letIn).contains(other);
    }

    @Test
    void noMoreWaitThanTheLimit() {
        for (int i = 0; i < 250; i++) {
            accept("198.51.100." + i, AT_ONCE + 5);
        }
        int before = letIn.size();
        assertThat(refused).hasValue(250 * 5 - ConnectionGate.WAITING);

        advance(5);

        assertThat(letIn).hasSize(before + ConnectionGate.WAITING);
    }

    @Test
    void connectionsOfALoadBalancerPass() {
        accept("10.0.9.7", 100);

        assertThat(letIn).hasSize(100);
    }

    @Test
    void connectionsThatWaitAreClosedWithTheListener() {
        accept("192.0.2.1", AT_ONCE);
        GatedChannel waiting = accept("192.0.2.1");

        listener.pipeline().fireChannelInactive();

        assertThat(waiting.isOpen()).isFalse();
        advance(1);
        assertThat(letIn).doesNotContain(waiting);
    }

    @Test
    void aListenerHasOneGate() {
        ConnectionGate.before(
                new GatedChannel(listener, "192.0.2.9"),
                new NewConnections(1, () -> 0),
                balancers,
                refused::incrementAndGet);

        accept("192.0.2.1", AT_ONCE + 6);

        assertThat(refused).hasValue(1);
    }
}
