package dev.kvstore.client.internal.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.protocol.wire.WithinMachine;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DialerTest {
    private static final Optional<String> PACES = Optional.of("bbr");

    @Test
    void aConnectionWithinTheMachineIsNotPaced() throws Exception {
        assumeTrue(Epoll.isAvailable(), "sockets of epoll are Linux's");
        InetAddress here = InetAddress.getLoopbackAddress();
        EventLoopGroup loop = new EpollEventLoopGroup(1);
        try (ServerSocket server = new ServerSocket(0, 1, here)) {
            Channel connected = Dialer.bootstrap(EpollSocketChannel.class, here, PACES)
                    .group(loop)
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect(new InetSocketAddress(here, server.getLocalPort()))
                    .sync()
                    .channel();

            byte[] name = new byte[WithinMachine.NAME_BYTES];
            connected.config().getOption(Dialer.CONGESTION_CONTROL).get(name);

            assertThat(new String(name, StandardCharsets.US_ASCII)).startsWith(WithinMachine.UNPACED + '\0');
        } finally {
            loop.shutdownGracefully().sync();
        }
    }

    @Test
    void elsewhereTheMachinesOwnStays() throws IOException {
        InetAddress documentation = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1});

        assertThat(Dialer.bootstrap(EpollSocketChannel.class, documentation, PACES)
                        .config()
                        .options())
                .isEmpty();
    }

    @Test
    void whatDoesNotPaceStays() throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();

        assertThat(Dialer.bootstrap(EpollSocketChannel.class, here, Optional.empty())
                        .config()
                        .options())
                .isEmpty();
    }

    @Test
    void aSocketThatKnowsNoSuchOptionIsNotAsked() throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();

        assertThat(Dialer.bootstrap(NioSocketChannel.class, here, PACES)
                        .config()
                        .options())
                .isEmpty();
    }
}
