package dev.kvstore.client.internal.http2;

import dev.kvstore.client.internal.http2.RawServer.ServerConversation;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.Http2FrameTypes;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A channel to a {@link RawServer}, and frames that Netty's codec would not send. */
final class RawFrames implements AutoCloseable {
    static final int WINDOW_BYTES = 1024 * 1024;
    static final CallOptions LEAST_WINDOW = CallOptions.DEFAULT.withOption(Http2Channel.WINDOW, 0);
    private static final ChannelSettings SETTINGS = new ChannelSettings(
            WINDOW_BYTES,
            WINDOW_BYTES,
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofMinutes(1),
            Duration.ofSeconds(5),
            "test");

    private final EventLoopGroup loops = new NioEventLoopGroup(1);
    private final Http2Channel channel;

    RawFrames(RawServer server) {
        Dialer dialer = new Dialer(
                "127.0.0.1", server.port(), NioSocketChannel.class, null, SETTINGS, Thread::startVirtualThread);
        channel = new Http2Channel(dialer, SETTINGS, loops.next());
    }

    /** A call that has begun. */
    ClientCall<byte[], byte[]> begin(HeardCall heard, CallOptions options, Metadata headers) {
        ClientCall<byte[], byte[]> call = channel.newCall(ByteMessages.METHOD, options);
        call.start(heard, headers);
        return call;
    }

    /** A call whose reader takes everything, and which sends so many bytes. */
    HeardCall asking(CallOptions options, int bytes) {
        HeardCall heard = new HeardCall();
        ClientCall<byte[], byte[]> call = begin(heard, options, new Metadata());
        call.request(Integer.MAX_VALUE);
        call.sendMessage(new byte[bytes]);
        call.halfClose();
        return heard;
    }

    static void send(ServerConversation with, byte type, int flags, int stream, byte[] payload) {
        var _ = with.context()
                .writeAndFlush(Unpooled.buffer()
                        .writeMedium(payload.length)
                        .writeByte(type)
                        .writeByte(flags)
                        .writeInt(stream)
                        .writeBytes(payload));
    }

    /** Widens a window; 0 is the stream of the whole connection. */
    static void widen(ServerConversation with, int stream, int bytes) {
        send(with, Http2FrameTypes.WINDOW_UPDATE, 0, stream, word(bytes));
    }

    static void setting(ServerConversation with, int name, int value) {
        byte[] payload =
                ByteBuffer.allocate(6).putShort((short) name).putInt(value).array();
        send(with, Http2FrameTypes.SETTINGS, 0, 0, payload);
    }

    static byte[] word(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }

    @Override
    public void close() {
        channel.shutdownNow();
        loops.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
