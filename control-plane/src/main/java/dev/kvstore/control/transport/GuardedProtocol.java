package dev.kvstore.control.transport;

import dev.kvstore.listener.BalancerAddresses;
import dev.kvstore.listener.FairInput;
import dev.kvstore.listener.FairTurns;
import dev.kvstore.listener.ProxyHeader;
import io.grpc.netty.GrpcHttp2ConnectionHandler;
import io.grpc.netty.InternalProtocolNegotiator.ProtocolNegotiator;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.AsciiString;
import java.net.InetSocketAddress;

/**
 * Has connections counted before anything is said on them, the handshake of TLS included. Thread-safe.
 *
 * @param protocol the protocol that a connection begins with
 * @param balancers addresses whose connections begin with a header that names their client
 * @param input of connections that send much
 */
record GuardedProtocol(
        ProtocolNegotiator protocol, GrpcPortConnections connections, BalancerAddresses balancers, FairTurns input)
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
                connections.accepted(context.channel(), balancers);
                FairInput.on(
                        context,
                        connection,
                        ByteToMessageDecoder.MERGE_CUMULATOR,
                        input,
                        () -> GrpcPortConnections.origin(context.channel()));
                connection.connection().addListener(new Resets(connections, context.channel()));
                if (balancers.have(context.channel().remoteAddress())) {
                    var _ = context.pipeline().addAfter(context.name(), null, next);
                    var _ = context.pipeline()
                            .replace(
                                    this,
                                    null,
                                    new ProxyHeader(new ProxyHeaderListener(connections, context.channel())));
                } else {
                    var _ = context.pipeline().replace(this, null, next);
                }
            }
        };
    }

    /** Takes the client's address from a load balancer's header. */
    private record ProxyHeaderListener(GrpcPortConnections connections, Channel channel)
            implements ProxyHeader.ProxyOutcome {
        @Override
        public void from(InetSocketAddress client) {
            if (!connections.comesFrom(client, channel)) {
                var _ = channel.close();
            }
        }

        @Override
        public void refused() {
            connections.refusedWithoutHeader();
        }
    }

    /** Counts calls that a client resets before they are answered. For the connection's event loop. */
    static final class Resets extends Http2ConnectionAdapter {
        private final GrpcPortConnections connections;
        private final Channel channel;
        private int resets;

        Resets(GrpcPortConnections connections, Channel channel) {
            this.connections = connections;
            this.channel = channel;
        }

        @Override
        public void onStreamClosed(Http2Stream stream) {
            boolean byClient = !stream.isHeadersSent() && !stream.isResetSent();
            if (byClient && ++resets == GrpcPortConnections.RESETS) {
                connections.closeIfSilent(channel);
            }
        }

        @Override
        public void onGoAwaySent(int lastStream, long error, ByteBuf text) {
            if (error == Http2Error.ENHANCE_YOUR_CALM.code()) {
                connections.charge(channel, resets / GrpcPortConnections.RESETS);
            }
        }
    }

    @Override
    public void close() {
        protocol.close();
    }
}
