package dev.kvstore.control.transport;

import dev.kvstore.listener.BalancerAddresses;
import dev.kvstore.listener.ProxyHeader;
import io.grpc.netty.GrpcHttp2ConnectionHandler;
import io.grpc.netty.InternalProtocolNegotiator.ProtocolNegotiator;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.AsciiString;
import java.net.InetSocketAddress;

/**
 * Has connections counted before anything is said on them, the handshake of TLS included. Thread-safe.
 *
 * @param protocol what a connection begins with
 * @param balancers whose connections begin by saying for whom they are
 */
record GuardedProtocol(ProtocolNegotiator protocol, Connections connections, BalancerAddresses balancers)
        implements ProtocolNegotiator {
    @Override
    public AsciiString scheme() {
        return protocol.scheme();
    }

    @Override
    public ChannelHandler newHandler(GrpcHttp2ConnectionHandler connection) {
        ChannelHandler next = protocol.newHandler(connection);
        return new ChannelInboundHandlerAdapter() {
            @Override
            public void handlerAdded(ChannelHandlerContext context) {
                connections.accepted(context.channel());
                if (balancers.have(context.channel().remoteAddress())) {
                    var _ = context.pipeline().addAfter(context.name(), null, next);
                    var _ = context.pipeline().replace(this, null, new ProxyHeader(new Told(connections)));
                } else {
                    var _ = context.pipeline().replace(this, null, next);
                }
            }
        };
    }

    /** Reads a load balancer's header. The client's address in it is not kept, since the control plane counts nothing by address. */
    private record Told(Connections connections) implements ProxyHeader.Outcome {
        @Override
        public void from(InetSocketAddress client) {}

        @Override
        public void refused() {
            connections.refusedWithoutHeader();
        }
    }

    @Override
    public void close() {
        protocol.close();
    }
}
