package dev.kvstore.dataplane.server;

import io.grpc.netty.GrpcHttp2ConnectionHandler;
import io.grpc.netty.InternalProtocolNegotiator.ProtocolNegotiator;
import io.grpc.netty.InternalProtocolNegotiators;
import io.netty.channel.ChannelHandler;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.ByteToMessageDecoder.Cumulator;
import io.netty.handler.ssl.SslContext;
import io.netty.util.AsciiString;
import java.util.Optional;

/**
 * Joins frames that arrive in two reads out of their pieces, without a copy, for which grpc-java has no option. By
 * itself Netty copies all bytes of the second read, and every fourth frame of a block arrives so. Thread-safe.
 *
 * @param protocol the protocol that a connection begins with
 */
record WholeFrames(ProtocolNegotiator protocol) implements ProtocolNegotiator {
    /** Shorter pieces are copied: a client that sends byte by byte is not to have an object for each. */
    private static final int SMALL_BYTES = 4 * 1024;

    static final Cumulator CUMULATOR = (allocator, before, read) -> (read.readableBytes() < SMALL_BYTES
                    ? ByteToMessageDecoder.MERGE_CUMULATOR
                    : ByteToMessageDecoder.COMPOSITE_CUMULATOR)
            .cumulate(allocator, before, read);

    /** The protocol of connections that use this TLS context, or plaintext if there is none. */
    static WholeFrames of(Optional<SslContext> tls) {
        return new WholeFrames(tls.map(InternalProtocolNegotiators::serverTls)
                .orElseGet(InternalProtocolNegotiators::serverPlaintext));
    }

    @Override
    public AsciiString scheme() {
        return protocol.scheme();
    }

    @Override
    public ChannelHandler newHandler(GrpcHttp2ConnectionHandler connection) {
        connection.setCumulator(CUMULATOR);
        WholeMessages.on(connection.connection());
        return protocol.newHandler(connection);
    }

    @Override
    public void close() {
        protocol.close();
    }
}
