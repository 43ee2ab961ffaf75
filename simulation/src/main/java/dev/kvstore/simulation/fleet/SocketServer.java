package dev.kvstore.simulation.fleet;

import dev.kvstore.dataplane.wire.LendingAllocator;
import dev.kvstore.listener.AcceptedConnection;
import dev.kvstore.listener.BalancerAddresses;
import dev.kvstore.listener.CountedConnections;
import dev.kvstore.listener.FairTurns;
import dev.kvstore.listener.ListenerConnections;
import dev.kvstore.listener.NewConnections;
import dev.kvstore.protocol.wire.KvStoreMethods;
import dev.kvstore.simulation.sockets.HostEventLoops;
import dev.kvstore.simulation.sockets.HostThreadFactory;
import dev.kvstore.simulation.sockets.SimulatedServerSocket;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServerStreamTracer;
import io.grpc.netty.InternalProtocolNegotiators;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The listener of a data plane, as the program sets it up, on simulated sockets. A thread of the host starts it. */
final class SocketServer {
    private static final int THREADS = 2;
    private static final int CONNECTIONS = 100;
    private static final int NEW_CONNECTIONS = 100;
    private static final int WINDOW_BYTES = 1 << 20;
    private static final int FRAME_BYTES = 256 << 10;

    private SocketServer() {}

    static Server start(
            InetSocketAddress address,
            List<ServerServiceDefinition> services,
            List<ServerInterceptor> interceptors,
            List<ServerStreamTracer.Factory> tracers) {
        ListenerConnections connections = new ListenerConnections(
                CONNECTIONS, new NewConnections(NEW_CONNECTIONS, System::nanoTime), ListenerConnections.Surplus.IDLE);
        HostEventLoops loops = new HostEventLoops(THREADS, new HostThreadFactory("server", true));
        NettyServerBuilder builder = NettyServerBuilder.forAddress(address)
                .channelType(SimulatedServerSocket.class)
                .bossEventLoopGroup(loops)
                .workerEventLoopGroup(loops)
                .directExecutor()
                .protocolNegotiator(new CountedConnections(
                        InternalProtocolNegotiators.serverPlaintext(),
                        connections,
                        new ListenerConnections.CallWindows(WINDOW_BYTES, FRAME_BYTES, true),
                        BalancerAddresses.of(BalancerAddresses.NO_ADDRESS),
                        new FairTurns(),
                        ByteToMessageDecoder.MERGE_CUMULATOR))
                .flowControlWindow(AcceptedConnection.STRANGERS_WINDOW)
                .maxInboundMessageSize(KvStoreMethods.MAX_MESSAGE_BYTES)
                .permitKeepAliveTime(5, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .withChildOption(ChannelOption.ALLOCATOR, LendingAllocator.SHARED)
                .addTransportFilter(connections);
        services.forEach(builder::addService);
        interceptors.forEach(builder::intercept);
        tracers.forEach(builder::addStreamTracerFactory);
        try {
            return builder.build().start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
