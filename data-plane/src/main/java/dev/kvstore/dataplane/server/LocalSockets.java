package dev.kvstore.dataplane.server;

import dev.kvstore.protocol.wire.WithinMachine;
import io.grpc.netty.GrpcHttp2ConnectionHandler;
import io.grpc.netty.InternalProtocolNegotiator.ProtocolNegotiator;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.RawUnixChannelOption;
import io.netty.util.AsciiString;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.util.function.BiPredicate;

/**
 * Has connections within the machine send at once, where the machine's congestion control paces
 * ({@link WithinMachine}). A socket gets it from the listening one and cannot lose it later; so the listening one has
 * that of local connections, and each from elsewhere is given the machine's own, before anything is said on it.
 * Thread-safe.
 *
 * @param protocol the protocol that a connection begins with
 * @param usual the machine's own congestion control
 * @param within whether a connection stays on the machine, by its own address and its peer's
 */
record LocalSockets(ProtocolNegotiator protocol, String usual, BiPredicate<SocketAddress, SocketAddress> within)
        implements ProtocolNegotiator {
    private static final System.Logger LOG = System.getLogger(LocalSockets.class.getName());

    static final RawUnixChannelOption CONGESTION_CONTROL = new RawUnixChannelOption(
            "TCP_CONGESTION", WithinMachine.TCP, WithinMachine.TCP_CONGESTION, WithinMachine.NAME_BYTES);

    /** Has a listener's connections begin with that, and with what this is for where it is needed. */
    static void on(NettyServerBuilder builder, ProtocolNegotiator protocol) {
        builder.protocolNegotiator(protocol);
        if (Epoll.isAvailable()) {
            WithinMachine.pacing().ifPresent(usual -> new LocalSockets(protocol, usual, WithinMachine::is).on(builder));
        }
    }

    void on(NettyServerBuilder builder) {
        builder.withOption(CONGESTION_CONTROL, WithinMachine.congestionControl(WithinMachine.UNPACED))
                .protocolNegotiator(this);
    }

    @Override
    public AsciiString scheme() {
        return protocol.scheme();
    }

    @Override
    public ChannelHandler newHandler(GrpcHttp2ConnectionHandler connection) {
        return new LocalConnection(protocol.newHandler(connection));
    }

    @Override
    public void close() {
        protocol.close();
    }

    /** A connection that was accepted a moment ago. */
    private final class LocalConnection extends ChannelInboundHandlerAdapter {
        private final ChannelHandler next;

        LocalConnection(ChannelHandler next) {
            this.next = next;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            Channel accepted = context.channel();
            if (!within.test(accepted.localAddress(), accepted.remoteAddress())) {
                beUsual(accepted);
            }
            var _ = context.pipeline().replace(this, null, next);
        }
    }

    private void beUsual(Channel accepted) {
        try {
            boolean _ = accepted.config().setOption(CONGESTION_CONTROL, WithinMachine.congestionControl(usual));
        } catch (RuntimeException e) {
            LOG.log(
                    Level.WARNING,
                    () -> "a connection from " + accepted.remoteAddress() + " has congestion control "
                            + WithinMachine.UNPACED + ", for " + usual + " cannot be had: " + e.getMessage());
        }
    }
}
