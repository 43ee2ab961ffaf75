package dev.kvstore.client.internal.http2;

import dev.kvstore.client.TransportOptions;
import dev.kvstore.protocol.wire.KvStoreMethods;
import io.grpc.ManagedChannel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.concurrent.TimeUnit;

/** Channels of this package whose memory traps whoever uses it after it was given back. */
public final class TrappingChannels implements AutoCloseable {
    private final TrappingAllocator memory = new TrappingAllocator();
    private final EventLoopGroup loops = new NioEventLoopGroup(2);

    public TrappingAllocator memory() {
        return memory;
    }

    /** A channel to a port of this machine, with small windows. */
    public ManagedChannel to(int port) {
        TransportOptions defaults = TransportOptions.DEFAULT;
        ChannelSettings settings = new ChannelSettings(
                256 * 1024,
                KvStoreMethods.MAX_MESSAGE_BYTES,
                defaults.keepAlive(),
                defaults.keepAliveTimeout(),
                defaults.idle(),
                defaults.connectTimeout(),
                "test");
        Dialer dialer =
                new Dialer("127.0.0.1", port, NioSocketChannel.class, null, settings, Thread::startVirtualThread);
        return new Http2Channel(dialer, settings, loops.next(), memory, Integer.MAX_VALUE - 1000);
    }

    @Override
    public void close() {
        loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
