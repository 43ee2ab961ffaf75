package dev.kvstore.listener;

import io.grpc.netty.GrpcHttp2ConnectionHandler;
import io.grpc.netty.InternalProtocolNegotiator.ProtocolNegotiator;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http2.DefaultHttp2LocalFlowController;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.util.AsciiString;
import java.net.InetSocketAddress;

/**
 * Counts each connection as it is accepted, before its handshake, and holds its client to the connection's window.
 * grpc-java itself widens that window as bytes arrive, so that each stream may fill a window of its own. Thread-safe.
 *
 * @param protocol the protocol that a connection begins with
 * @param windows the windows of calls, once their connection is admitted
 * @param balancers addresses whose connections begin with a header that names their client, and count for that client
 * @param input the turns of connections that send much
 * @param cumulator the cumulator with which the protocol's decoder joins the bytes of several reads
 */
public record CountedConnections(
        ProtocolNegotiator protocol,
        ListenerConnections connections,
        ListenerConnections.CallWindows windows,
        BalancerAddresses balancers,
        FairTurns input,
        ByteToMessageDecoder.Cumulator cumulator)
        implements ProtocolNegotiator {
    @Override
    public AsciiString scheme() {
        return protocol.scheme();
    }

    @Override
    public ChannelHandler newHandler(GrpcHttp2ConnectionHandler handler) {
        Http2Connection http2 = handler.connection();
        http2.local()
                .flowController(new GrowingWindows(http2, windows.together())
                        .frameWriter(handler.encoder().frameWriter()));
        return new CountedConnection(handler, protocol.newHandler(handler));
    }

    @Override
    public void close() {
        protocol.close();
    }

    /**
     * Flow control for a client's bytes, whose windows never shrink: a client that acknowledges the first settings
     * after the connection was admitted would make Netty take back the client's new window.
     */
    private static final class GrowingWindows extends DefaultHttp2LocalFlowController {
        GrowingWindows(Http2Connection http2, boolean together) {
            super(http2, DEFAULT_WINDOW_UPDATE_RATIO, !together);
        }

        @Override
        public void initialWindowSize(int bytes) throws Http2Exception {
            if (bytes > initialWindowSize()) {
                super.initialWindowSize(bytes);
            }
        }
    }

    /**
     * A connection that was accepted a moment ago. The handler gets no later events, and stays so that the connection
     * can be closed by it.
     */
    private final class CountedConnection extends ChannelInboundHandlerAdapter {
        private final GrpcHttp2ConnectionHandler handler;
        private final ChannelHandler next;

        CountedConnection(GrpcHttp2ConnectionHandler handler, ChannelHandler next) {
            this.handler = handler;
            this.next = next;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            ConnectionGate.before(
                    context.channel(),
                    connections.turns(),
                    balancers,
                    () -> connections.count(ListenerConnections.CloseReason.RATE));
            AcceptedConnection connection = AcceptedConnection.begin(connections, context, handler, windows);
            FairInput.on(context, handler, cumulator, input, connection::origin);
            var _ = context.pipeline().addAfter(context.name(), null, next);
            if (balancers.have(connection.remote())) {
                var _ = context.pipeline()
                        .addAfter(
                                context.name(),
                                null,
                                new ProxyHeader(new ProxyHeaderHandler(connections.turns(), connection)));
            }
        }
    }

    /** Takes the client's address from a load balancer's header. */
    private record ProxyHeaderHandler(NewConnections turns, AcceptedConnection connection)
            implements ProxyHeader.ProxyOutcome {
        @Override
        public void from(InetSocketAddress client) {
            connection.comesFrom(client);
            if (!turns.turnAtOnce(AddressGroup.of(client))) {
                connection.close(ListenerConnections.CloseReason.RATE);
            }
        }

        @Override
        public void refused() {
            connection.close(ListenerConnections.CloseReason.HEADER);
        }
    }
}
