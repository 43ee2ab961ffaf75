package dev.kvstore.client.internal.http2;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.DefaultHttp2SettingsFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Frame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2StreamFrame;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** An HTTP/2 server that does frame by frame what its script says, even if that is wrong. */
final class RawServer implements AutoCloseable {
    /** The server's reaction to a frame; runs on its one thread. */
    interface Script {
        void on(ServerConversation with, Http2Frame frame);
    }

    private final EventLoopGroup loop = new NioEventLoopGroup(1);
    private final Channel listening;
    private final List<Http2Frame> heard = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();

    RawServer(Http2Settings settings, Script script) {
        listening = new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel made) {
                        connections.incrementAndGet();
                        made.pipeline()
                                .addLast(Http2FrameCodecBuilder.forServer()
                                        .validateHeaders(false)
                                        .encoderIgnoreMaxHeaderListSize(true)
                                        .initialSettings(settings)
                                        .build())
                                .addLast(handler(script));
                    }
                })
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .syncUninterruptibly()
                .channel();
    }

    private SimpleChannelInboundHandler<Http2Frame> handler(Script script) {
        return new SimpleChannelInboundHandler<>() {
            @Override
            protected void channelRead0(ChannelHandlerContext context, Http2Frame frame) {
                heard.add(frame);
                script.on(new ServerConversation(context), frame);
            }
        };
    }

    /** One that answers each request with its own message, once it is whole. */
    static RawServer echo(Http2Settings settings) {
        return new RawServer(settings, (with, frame) -> {
            if (frame instanceof Http2HeadersFrame request) {
                with.headers(request.stream());
            } else if (frame instanceof Http2DataFrame data) {
                with.send(data.stream(), data.content().retain(), false);
                with.taken(data);
                if (data.isEndStream()) {
                    with.trailers(data.stream(), 0, "");
                }
            }
        });
    }

    /** One that says so much when it is called, and no more. */
    static RawServer answering(java.util.function.BiConsumer<ServerConversation, Http2FrameStream> answer) {
        return new RawServer(new Http2Settings(), (with, frame) -> {
            if (frame instanceof Http2HeadersFrame request) {
                answer.accept(with, request.stream());
            }
        });
    }

    int port() {
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    /** Every frame that came, connections' settings included. */
    <F extends Http2Frame> List<F> heard(Class<F> kind) {
        return heard.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    int connections() {
        return connections.get();
    }

    @Override
    public void close() {
        loop.shutdownGracefully(0, 0, java.util.concurrent.TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** One connection, to answer on. */
    record ServerConversation(ChannelHandlerContext context) {
        void headers(Http2FrameStream stream) {
            fields(stream, grpc(), false);
        }

        void fields(Http2FrameStream stream, Http2Headers fields, boolean last) {
            write(new DefaultHttp2HeadersFrame(fields, last), stream);
        }

        void message(Http2FrameStream stream, byte[] message) {
            send(stream, framed(message), false);
        }

        void send(Http2FrameStream stream, ByteBuf bytes, boolean last) {
            write(new DefaultHttp2DataFrame(bytes, last), stream);
        }

        void trailers(Http2FrameStream stream, int status, String message) {
            Http2Headers trailers = new DefaultHttp2Headers(false).setInt("grpc-status", status);
            if (!message.isEmpty()) {
                trailers.set("grpc-message", message);
            }
            fields(stream, trailers, true);
        }

        void reset(Http2FrameStream stream, Http2Error error) {
            write(new DefaultHttp2ResetFrame(error), stream);
        }

        /** Says that streams above this one were not looked at, whatever else it did with them. */
        void goAway(int last) {
            var _ = context.writeAndFlush(Unpooled.buffer(17)
                    .writeMedium(8)
                    .writeByte(7)
                    .writeByte(0)
                    .writeInt(0)
                    .writeInt(last)
                    .writeInt(0));
        }

        /** Empty frames, but for a ping's content, that want an answer; as long as the connection is there. */
        void flood(int type, int frames) {
            int here = Math.min(frames, 1000);
            ByteBuf bytes = Unpooled.buffer();
            for (int i = 0; i < here; i++) {
                int length = type == Http2FrameTypes.PING ? 8 : 0;
                bytes.writeMedium(length)
                        .writeByte(type)
                        .writeByte(0)
                        .writeInt(0)
                        .writeZero(length);
            }
            context.writeAndFlush(bytes).addListener(written -> {
                if (written.isSuccess() && here < frames) {
                    flood(type, frames - here);
                }
            });
        }

        /** Lets the client send as much again. */
        void taken(Http2DataFrame data) {
            write(new DefaultHttp2WindowUpdateFrame(data.initialFlowControlledBytes()), data.stream());
        }

        /** Lets the client send so much on each stream, and on all of them together. */
        void widen(int bytes) {
            var _ = context.write(new DefaultHttp2SettingsFrame(new Http2Settings().initialWindowSize(bytes)));
            var _ = context.writeAndFlush(new DefaultHttp2WindowUpdateFrame(bytes));
        }

        private void write(Http2StreamFrame frame, Http2FrameStream stream) {
            var _ = context.writeAndFlush(frame.stream(stream));
        }
    }

    static Http2Headers grpc() {
        return new DefaultHttp2Headers(false).status("200").set("content-type", "application/grpc");
    }

    static ByteBuf framed(byte[] message) {
        return Unpooled.buffer(Deframer.PREFIX_BYTES + message.length)
                .writeByte(0)
                .writeInt(message.length)
                .writeBytes(message);
    }
}
