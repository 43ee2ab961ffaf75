package dev.kvstore.listener;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.HashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Stands before a listener's own handlers, and makes accepted connections wait for their turn ({@link NewConnections})
 * before anything is built for them or read from them: a waiting connection costs a socket, a refused one costs an
 * accept. Only the listener's event loop uses it.
 *
 * <p>gRPC gives no access to its listener before a connection exists, so the first connection puts the gate in ({@link
 * #before}).
 */
public final class ConnectionGate extends ChannelInboundHandlerAdapter {
    /** The most connections of all addresses that wait at a time. */
    static final int WAITING = 1_000;

    private static final String NAME = "connection gate";

    private final NewConnections connections;
    private final BalancerAddresses balancers;
    private final Runnable onRefused;
    private final Set<Channel> waiting = new HashSet<>();

    ConnectionGate(NewConnections connections, BalancerAddresses balancers, Runnable onRefused) {
        this.connections = connections;
        this.balancers = balancers;
        this.onRefused = onRefused;
    }

    /**
     * Puts a gate before the listener of a connection, if it has none.
     *
     * @param accepted a connection of the listener
     * @param balancers addresses whose connections pass: the client's address stands in a header that was not read yet
     * @param onRefused called for each refused connection, by the listener's event loop
     */
    public static void before(
            Channel accepted, NewConnections connections, BalancerAddresses balancers, Runnable onRefused) {
        Channel listener = accepted.parent();
        if (listener == null || listener.pipeline().get(NAME) != null) {
            return;
        }
        try {
            var _ = listener.pipeline().addFirst(NAME, new ConnectionGate(connections, balancers, onRefused));
        } catch (IllegalArgumentException another) {
            // Two first connections came at once, on different event loops: the other one put the gate in.
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!(message instanceof Channel accepted) || balancers.have(accepted.remoteAddress())) {
            var _ = context.fireChannelRead(message);
            return;
        }
        OptionalLong turn = connections.turn(AddressGroup.of(accepted.remoteAddress()));
        if (turn.isEmpty() || (turn.getAsLong() > 0 && waiting.size() >= WAITING)) {
            onRefused.run();
            accepted.unsafe().closeForcibly();
        } else if (turn.getAsLong() == 0) {
            var _ = context.fireChannelRead(accepted);
        } else {
            waiting.add(accepted);
            var _ = context.executor().schedule(() -> letIn(context, accepted), turn.getAsLong(), TimeUnit.NANOSECONDS);
        }
    }

    private void letIn(ChannelHandlerContext context, Channel accepted) {
        if (waiting.remove(accepted)) {
            var _ = context.fireChannelRead(accepted);
            var _ = context.fireChannelReadComplete();
        }
    }

    /** Closes the waiting connections, since the listener is closed. */
    @Override
    public void channelInactive(ChannelHandlerContext context) {
        waiting.forEach(accepted -> accepted.unsafe().closeForcibly());
        waiting.clear();
        var _ = context.fireChannelInactive();
    }
}
