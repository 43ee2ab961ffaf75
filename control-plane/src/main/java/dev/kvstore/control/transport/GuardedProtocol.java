package dev.kvstore.control.transport;

import io.grpc.netty.GrpcHttp2ConnectionHandler;
import io.grpc.netty.InternalProtocolNegotiator.ProtocolNegotiator;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.AsciiString;

/**
 * Has connections counted before anything is said on them, the handshake of TLS included. Thread-safe.
 *
 * @param protocol what a connection begins with
 */
record GuardedProtocol(ProtocolNegotiator protocol, Connections connections) implements ProtocolNegotiator {
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
                var _ = context.pipeline().replace(this, null, next);
            }
        };
    }

    @Override
    public void close() {
        protocol.close();
    }
}
