package dev.kvstore.dataplane.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.listener.BalancerAddresses;
import dev.kvstore.listener.CountedConnections;
import dev.kvstore.listener.FairTurns;
import dev.kvstore.listener.ListenerConnections;
import dev.kvstore.listener.NewConnections;
import dev.kvstore.testing.CallOrder;
import grpc.health.v1.HealthGrpc;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@link CountedConnections} of a server whose connections share one event loop. */
final class CountedConnectionsTest {
    /** Fewer than a connection may have open at a time, or are refused for their key. */
    private static final int MANY = 80;

    private static final int WINDOW = 1 << 20;

    private final EventLoopGroup loop = new NioEventLoopGroup(1);
    private final CallOrder order = new CallOrder();

    @SuppressWarnings("NullAway.Init")
    private Server server;

    @BeforeEach
    void start() throws IOException {
        CountedConnections connections = new CountedConnections(
                WholeFrames.of(Optional.empty()),
                new ListenerConnections(
                        100, new NewConnections(100, System::nanoTime), ListenerConnections.Surplus.IDLE),
                new ListenerConnections.CallWindows(WINDOW, GrpcTransport.FRAME_BYTES, true),
                BalancerAddresses.of(BalancerAddresses.NO_ADDRESS),
                new FairTurns(),
                WholeFrames.CUMULATOR);
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .channelType(NioServerSocketChannel.class)
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .directExecutor()
                .protocolNegotiator(connections)
                .addService(new HealthGrpc.HealthImplBase() {})
                .intercept(order)
                .build()
                .start();
    }

    @AfterEach
    void stop() {
        server.shutdownNow();
        var _ = loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    private Socket connect(String from) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), server.getPort(), InetAddress.ofLiteral(from), 0);
    }

    @Test
    void aCallDoesNotWaitForAllThatAnotherAddressSent() throws Exception {
        try (Socket flood = connect("127.0.0.2");
                Socket honest = connect("127.0.0.1")) {
            flood.getOutputStream().write(CallOrder.calls(HealthGrpc.getCheckMethod(), "flood", MANY));
            honest.getOutputStream().write(CallOrder.calls(HealthGrpc.getCheckMethod(), "honest", 1));
            order.allSent();

            assertThat(order.begun(MANY + 1).indexOf("honest")).isLessThan(MANY / 2);
        }
    }
}
