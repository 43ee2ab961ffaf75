package dev.kvstore.client.internal.http2;

import io.grpc.Status;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** The end of a socket's pipeline. The connection begins once the socket, and TLS on it, are ready. */
final class Link extends ChannelInboundHandlerAdapter {
    private static final String HTTP_2 = "h2";

    /** The message of gRPC for a peer that closes the connection without an answer. */
    private static final String HUNG_UP = "Network closed for unknown reason";

    private final Http2Channel channel;
    private final ReadBuffers buffers;
    private final boolean encrypted;
    private final Consumer<Status> failed;
    private @Nullable ClientConnection connection;
    private @Nullable Status why;

    /**
     * Makes the link of a socket that is being connected.
     *
     * @param buffers the buffers of the socket, which are closed with it
     * @param failed gets the reason if this becomes no connection that takes calls
     */
    Link(Http2Channel channel, ReadBuffers buffers, boolean encrypted, Consumer<Status> failed) {
        this.channel = channel;
        this.buffers = buffers;
        this.encrypted = encrypted;
        this.failed = failed;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        if (!encrypted) {
            begin(context);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            if (!handshake.isSuccess()) {
                broken(context, handshake.cause());
            } else if (!HTTP_2.equals(context.pipeline().get(SslHandler.class).applicationProtocol())) {
                broken(context, new SSLException("the server's TLS does not offer HTTP/2 (ALPN " + HTTP_2 + ")"));
            } else {
                begin(context);
            }
        }
        context.fireUserEventTriggered(event);
    }

    private void begin(ChannelHandlerContext context) {
        ClientConnection begun = new ClientConnection(channel, context, encrypted);
        connection = begun;
        channel.connected(begun);
        begun.begin();
        var unused = context.executor()
                .schedule(
                        () -> {
                            if (!begun.isReady()) {
                                begun.giveUp(CallStatuses.gone("the peer has sent no settings in time", null));
                            }
                        },
                        Nanos.of(channel.settings().connectTimeout()),
                        TimeUnit.NANOSECONDS);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            ClientConnection begun = connection;
            if (begun != null) {
                begun.received(bytes);
            }
        } finally {
            bytes.release();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        ClientConnection begun = connection;
        if (begun != null && context.channel().isWritable()) {
            begun.writable();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        broken(context, cause);
    }

    private void broken(ChannelHandlerContext context, Throwable cause) {
        Status status = CallStatuses.gone("io exception", cause);
        ClientConnection begun = connection;
        if (begun != null) {
            begun.giveUp(status);
            return;
        }
        if (why == null) {
            why = status;
        }
        var unused = context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        buffers.close();
        Status hungUp = CallStatuses.gone(HUNG_UP, null);
        ClientConnection begun = connection;
        if (begun == null) {
            failed.accept(why == null ? hungUp : why);
            return;
        }
        boolean served = begun.isReady();
        Status status = begun.lost(hungUp);
        if (!served) {
            failed.accept(status);
        }
    }
}
