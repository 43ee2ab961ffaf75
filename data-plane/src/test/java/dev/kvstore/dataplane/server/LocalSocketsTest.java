package dev.kvstore.dataplane.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvstore.protocol.wire.WithinMachine;
import io.grpc.Server;
import io.grpc.netty.GrpcHttp2ConnectionHandler;
import io.grpc.netty.InternalProtocolNegotiator.ProtocolNegotiator;
import io.grpc.netty.InternalProtocolNegotiators;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.util.AsciiString;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a listener's connections have, on a machine whose congestion control is another. */
class LocalSocketsTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();
    private static final Path ALLOWED = Path.of("/proc/sys/net/ipv4/tcp_allowed_congestion_control");

    private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
    private EventLoopGroup loops;
    private Server server;
    private String usual;

    @BeforeEach
    void listen() throws Exception {
        assumeTrue(Epoll.isAvailable(), "sockets of epoll are Linux's");
        usual = List.of(Files.readString(ALLOWED).strip().split(" ")).stream()
                .filter(name -> !name.equals(WithinMachine.UNPACED))
                .findFirst()
                .orElse(WithinMachine.UNPACED);
        loops = new EpollEventLoopGroup(1);
        NettyServerBuilder builder = NettyServerBuilder.forAddress(new InetSocketAddress(HERE, 0))
                .channelType(EpollServerSocketChannel.class)
                .bossEventLoopGroup(loops)
                .workerEventLoopGroup(loops);
        LocalSockets.on(builder, new Noted(InternalProtocolNegotiators.serverPlaintext(), accepted), usual);
        server = builder.build().start();
    }

    @AfterEach
    void stop() throws InterruptedException {
        if (server != null) {
            server.shutdownNow().awaitTermination();
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }

    @Test
    void aConnectionWithinTheMachineIsNotPaced() throws Exception {
        try (Socket _ = new Socket(HERE, server.getPort())) {
            assertThat(congestionControl(accepted.take())).isEqualTo(WithinMachine.UNPACED);
        }
    }

    @Test
    void oneFromElsewhereIsGivenTheMachinesOwn() throws Exception {
        try (Socket _ = new Socket(HERE, server.getPort())) {
            Channel connection = accepted.take();

            LocalSockets.beUsual(connection, usual);

            assertThat(congestionControl(connection)).isEqualTo(usual);
        }
    }

    @Test
    void oneThatCannotHaveItGoesOn() throws Exception {
        try (Socket _ = new Socket(HERE, server.getPort())) {
            Channel connection = accepted.take();

            LocalSockets.beUsual(connection, "no-such");

            assertThat(congestionControl(connection)).isEqualTo(WithinMachine.UNPACED);
            assertThat(connection.isActive()).isTrue();
        }
    }

    private static String congestionControl(Channel channel) {
        byte[] name = new byte[WithinMachine.NAME_BYTES];
        channel.config().getOption(LocalSockets.CONGESTION_CONTROL).get(name);
        return new String(name, StandardCharsets.US_ASCII).replaceAll("\\x00.*", "");
    }

    /** Notes each connection when its protocol begins. */
    private record Noted(ProtocolNegotiator protocol, BlockingQueue<Channel> connections)
            implements ProtocolNegotiator {
        @Override
        public AsciiString scheme() {
            return protocol.scheme();
        }

        @Override
        public ChannelHandler newHandler(GrpcHttp2ConnectionHandler connection) {
            ChannelHandler next = protocol.newHandler(connection);
            return new ChannelInboundHandlerAdapter() {
                @Override
                public void handlerAdded(ChannelHandlerContext context) {
                    connections.add(context.channel());
                    var _ = context.pipeline().replace(this, null, next);
                }
            };
        }

        @Override
        public void close() {
            protocol.close();
        }
    }
}
