package dev.kvstore.dataplane.storage.azure.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.AbstractChannel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** A connection to a server in memory, which answers each GET at once. */
public final class AnsweringChannel extends AbstractChannel {
    private static final ChannelMetadata METADATA = new ChannelMetadata(false);
    private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

    private final ChannelConfig config = new DefaultChannelConfig(this) {
        @Override
        public <T> boolean setOption(ChannelOption<T> option, T value) {
            return true;
        }
    };
    private volatile boolean open = true;
    private volatile @Nullable SocketAddress remote;

    /** Netty makes it. */
    public AnsweringChannel() {
        super(null);
    }

    @Override
    protected AbstractUnsafe newUnsafe() {
        return new AbstractUnsafe() {
            @Override
            public void connect(SocketAddress to, SocketAddress from, ChannelPromise promise) {
                if (promise.setUncancellable()) {
                    remote = to;
                    promise.setSuccess();
                    pipeline().fireChannelActive();
                }
            }
        };
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer messages) {
        for (Object message = messages.current(); message != null; message = messages.current()) {
            if (message instanceof ByteBuf bytes && bytes.toString(US_ASCII).startsWith("GET ")) {
                eventLoop().execute(() -> {
                    pipeline().fireChannelRead(Unpooled.copiedBuffer(ANSWER, US_ASCII));
                    pipeline().fireChannelReadComplete();
                });
            }
            messages.remove();
        }
    }

    @Override
    protected boolean isCompatible(EventLoop loop) {
        return true;
    }

    @Override
    protected @Nullable SocketAddress localAddress0() {
        return null;
    }

    @Override
    protected @Nullable SocketAddress remoteAddress0() {
        return remote;
    }

    @Override
    protected void doBind(SocketAddress local) {}

    @Override
    protected void doDisconnect() {
        doClose();
    }

    @Override
    protected void doClose() {
        open = false;
    }

    @Override
    protected void doBeginRead() {}

    @Override
    public ChannelConfig config() {
        return config;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public boolean isActive() {
        return open && remote != null;
    }

    @Override
    public ChannelMetadata metadata() {
        return METADATA;
    }
}
