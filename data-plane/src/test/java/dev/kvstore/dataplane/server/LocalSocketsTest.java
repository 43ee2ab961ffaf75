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
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The congestion control of a listener's connections, on a machine with another one. */
class LocalSocketsTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();
    private static final Path ALLOWED = Path.of("/proc/sys/net/ipv4/tcp_allowed_congestion_control");

    private final BlockingQueue<Channel> accepted = new LinkedBlockingQueue<>();
    private EventLoopGroup loops;

    @BeforeEach
    void start() {
        assumeTrue(Epoll.isAvailable(), "sockets of epoll are Linux's");
        loops = new EpollEventLoopGroup(1);
    }

    @AfterEach
    void stop() throws InterruptedException {
        if (loops != null) {
            loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }

    @Test
    void aConnectionWithinTheMachineIsNotPaced() throws Exception {
        assertThat(begun(other(), WithinMachine::is)).isEqualTo(WithinMachine.UNPACED);
    }

    @Test
    void oneFromElsewhereHasTheMachinesOwn() throws Exception {
        String usual = other();

        assertThat(begun(usual, (_, _) -> false)).isEqualTo(usual);
    }

    @Test
    void oneThatCannotHaveItBeginsAsWell() throws Exception {
        assertThat(begun("no-such", (_, _) -> false)).isEqualTo(WithinMachine.UNPACED);
    }

    /** A congestion control that this machine lets any process choose, in place of the one that is chosen here. */
    private static String other() throws IOException {
        Optional<String> other = Stream.of(Files.readString(ALLOWED).strip().split(" "))
                .filter(name -> !name.equals(WithinMachine.UNPACED))
                .findFirst();
        assumeTrue(other.isPresent(), ALLOWED + " has nothing but " + WithinMachine.UNPACED);
        return other.get();
    }

    /** The congestion control of a connection as its protocol begins. */
    private String begun(String usual, BiPredicate<SocketAddress, SocketAddress> within) throws Exception {
        NettyServerBuilder builder = NettyServerBuilder.forAddress(new InetSocketAddress(HERE, 0))
                .channelType(EpollServerSocketChannel.class)
                .bossEventLoopGroup(loops)
                .workerEventLoopGroup(loops);
        Noted noted = new Noted(InternalProtocolNegotiators.serverPlaintext(), accepted);
        new LocalSockets(noted, usual, within).on(builder);
        Server server = builder.build().start();
        try (Socket _ = new Socket(HERE, server.getPort())) {
            return congestionControl(accepted.take());
        } finally {
            server.shutdownNow().awaitTermination();
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
