package dev.kvstore.client.internal.http2;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.grpc.ManagedChannel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollSocketChannel;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The same over sockets of epoll, which send an application's bytes from where they are. */
class EpollChannelTest extends TransportContract {
    private static @Nullable EventLoopGroup loops;

    @BeforeAll
    static void start() {
        assumeTrue(Epoll.isAvailable(), "sockets of epoll are Linux's");
        loops = new EpollEventLoopGroup(1);
    }

    @Override
    ManagedChannel channel(int port) {
        Dialer dialer = new Dialer(
                "127.0.0.1",
                port,
                EpollSocketChannel.class,
                null,
                Http2ChannelTest.SETTINGS,
                Thread::startVirtualThread);
        return new Http2Channel(
                dialer, Http2ChannelTest.SETTINGS, Objects.requireNonNull(loops).next());
    }

    @AfterAll
    static void stop() {
        if (loops != null) {
            loops.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }
}
