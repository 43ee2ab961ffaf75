package dev.kvstore.client.internal.http2;

import io.grpc.ManagedChannel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;

class Http2ChannelTest extends TransportContract {
    private static final EventLoopGroup LOOPS = new NioEventLoopGroup(1);
    private static final Settings SETTINGS = new Settings(
            WINDOW_BYTES,
            MOST_MESSAGE_BYTES,
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofMinutes(1),
            Duration.ofSeconds(5),
            "test");

    @Override
    ManagedChannel channel(int port) {
        Dialer dialer = new Dialer("127.0.0.1", port, NioSocketChannel.class, null, SETTINGS);
        return new Http2Channel(dialer, SETTINGS, LOOPS.next());
    }

    @AfterAll
    static void stop() {
        LOOPS.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
