package dev.kvstore.client.internal.http2;

import io.grpc.netty.GrpcHttp2ConnectionHandler;
import io.grpc.netty.InternalNettyChannelBuilder;
import io.grpc.netty.InternalProtocolNegotiator;
import io.grpc.netty.InternalProtocolNegotiator.ProtocolNegotiator;
import io.grpc.netty.InternalProtocolNegotiators;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.ByteToMessageDecoder.Cumulator;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import io.netty.handler.ssl.SslContext;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/**
 * grpc-java's connections with the frames and buffers of blocks, for which grpc-java has no options: grpc-java passes
 * each connection to its protocol negotiator, before the connection has streams. Thread-safe.
 *
 * @param protocol the protocol that a connection begins with
 */
public record LongFrames(ProtocolNegotiator protocol) implements ProtocolNegotiator {
    /** The largest read. Reads become smaller where little arrives. */
    private static final int READ_BYTES = 256 * 1024;

    private static final int LEAST_READ_BYTES = 2 * 1024;

    /**
     * The least piece of a frame that is not copied, so that a server that sends byte by byte makes no object for each.
     */
    private static final int SMALL_BYTES = 4 * 1024;

    /** The most bytes that a stream sends in its turn, if the socket takes them; grpc-java has 16 KiB. */
    private static final int TURN_BYTES = 2 * 1024 * 1024;

    /**
     * Makes a channel's connections use these frames.
     *
     * @param tls null for plaintext
     */
    public static NettyChannelBuilder on(NettyChannelBuilder builder, @Nullable SslContext tls) {
        InternalNettyChannelBuilder.setProtocolNegotiatorFactory(
                builder, new InternalProtocolNegotiator.ClientFactory() {
                    @Override
                    public ProtocolNegotiator newNegotiator() {
                        return new LongFrames(
                                tls == null
                                        ? InternalProtocolNegotiators.plaintext()
                                        : InternalProtocolNegotiators.tls(tls, null, null));
                    }

                    @Override
                    public int getDefaultPort() {
                        return 0; // each address has its own port
                    }
                });
        return builder.maxInboundMetadataSize(HeaderBlocks.MOST_BYTES)
                .intercept(RequestPieces.ON_CALLS)
                .withOption(ChannelOption.ALLOCATOR, RequestPieces.ALLOCATOR)
                .withOption(ChannelOption.WRITE_BUFFER_WATER_MARK, Dialer.UNSENT)
                .withOption(
                        ChannelOption.RCVBUF_ALLOCATOR,
                        new AdaptiveRecvByteBufAllocator(LEAST_READ_BYTES, READ_BYTES, READ_BYTES));
    }

    @Override
    public AsciiString scheme() {
        return protocol.scheme();
    }

    @Override
    public ChannelHandler newHandler(GrpcHttp2ConnectionHandler handler) {
        handler.setCumulator(LongFrames::cumulate);
        sendInTurns(handler.connection());
        handler.decoder()
                .frameListener(new Http2FrameListenerDecorator(handler.decoder().frameListener()) {
                    private boolean asked;

                    // grpc-java's first SETTINGS cannot be changed, so a second frame follows once the server's
                    // settings are here.
                    @Override
                    public void onSettingsRead(ChannelHandlerContext context, Http2Settings settings)
                            throws Http2Exception {
                        super.onSettingsRead(context, settings);
                        if (!asked) {
                            asked = true;
                            Http2Settings longest =
                                    new Http2Settings().maxFrameSize(Http2CodecUtil.MAX_FRAME_SIZE_UPPER_BOUND);
                            var unused = handler.encoder().writeSettings(context, longest, context.newPromise());
                            context.flush();
                        }
                    }
                });
        return protocol.newHandler(handler);
    }

    private static ByteBuf cumulate(ByteBufAllocator allocator, ByteBuf before, ByteBuf read) {
        Cumulator way = read.readableBytes() < SMALL_BYTES
                ? ByteToMessageDecoder.MERGE_CUMULATOR
                : ByteToMessageDecoder.COMPOSITE_CUMULATOR;
        return way.cumulate(allocator, before, read);
    }

    private static void sendInTurns(Http2Connection connection) {
        UniformStreamByteDistributor turns = new UniformStreamByteDistributor(connection);
        turns.minAllocationChunk(TURN_BYTES);
        connection.remote().flowController(new DefaultHttp2RemoteFlowController(connection, turns));
    }

    @Override
    public void close() {
        protocol.close();
    }
}
