package dev.kvstore.control.transport;

import dev.kvstore.listener.BalancerAddresses;
import dev.kvstore.listener.FairTurns;
import dev.kvstore.listener.ListenerTls;
import io.grpc.Codec;
import io.grpc.DecompressorRegistry;
import io.grpc.netty.InternalProtocolNegotiator.ProtocolNegotiator;
import io.grpc.netty.InternalProtocolNegotiators;
import io.grpc.netty.NettyServerBuilder;
import io.quarkus.grpc.api.ServerBuilderCustomizer;
import io.quarkus.grpc.runtime.config.GrpcServerConfiguration;
import io.vertx.grpc.VertxServerBuilder;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The settings of the gRPC port, which also tenants and strangers reach. */
@Singleton
public final class GrpcTransport implements ServerBuilderCustomizer<VertxServerBuilder> {
    /** A data plane asks 64 questions at a time, and has some long calls. */
    private static final int CALLS = 200;

    /** A token or key, trace headers and little else. */
    private static final int METADATA_BYTES = 8 * 1024;

    /** The bytes that one call may send before they are read. */
    private static final int WINDOW_BYTES = 256 * 1024;

    private static final long HANDSHAKE_SECONDS = 10;
    private static final long IDLE_MINUTES = 5;
    private static final long KEEPALIVE_SECONDS = 60;
    private static final long KEEPALIVE_TIMEOUT_SECONDS = 20;

    /** Half of the least that clients may be set to. */
    private static final long PERMITTED_KEEPALIVE_SECONDS = 5;

    /** Beyond what a data plane cancels whose questions all meet their deadlines. */
    private static final int RESETS = 500;

    private static final int RESETS_SECONDS = 10;

    /** A call may say {@code identity}, as some clients do, and nothing else. */
    private static final DecompressorRegistry UNCOMPRESSED =
            DecompressorRegistry.emptyInstance().with(Codec.Identity.NONE, false);

    private final GrpcPortConnections connections;
    private final BalancerAddresses balancers;
    private final Optional<ListenerTls> tls;

    GrpcTransport(
            GrpcPortConnections connections,
            @ConfigProperty(name = "kvstore.proxy-protocol-from", defaultValue = BalancerAddresses.NO_ADDRESS)
                    String balancers,
            Optional<ListenerTls> tls) {
        this.connections = connections;
        this.balancers = BalancerAddresses.of(balancers);
        this.tls = tls;
    }

    @Override
    public void customize(GrpcServerConfiguration config, VertxServerBuilder builder) {
        customize(builder.nettyBuilder());
    }

    void customize(NettyServerBuilder builder) {
        builder.protocolNegotiator(new GuardedProtocol(protocol(), connections, balancers, new FairTurns()))
                .maxConcurrentCallsPerConnection(CALLS)
                .maxInboundMessageSize(CallKind.MOST_BYTES)
                .maxInboundMetadataSize(METADATA_BYTES)
                .flowControlWindow(WINDOW_BYTES)
                .handshakeTimeout(HANDSHAKE_SECONDS, TimeUnit.SECONDS)
                .maxConnectionIdle(IDLE_MINUTES, TimeUnit.MINUTES)
                .keepAliveTime(KEEPALIVE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(KEEPALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .permitKeepAliveTime(PERMITTED_KEEPALIVE_SECONDS, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .maxRstFramesPerWindow(RESETS, RESETS_SECONDS)
                // A message that grows on arrival would escape its limit.
                .decompressorRegistry(UNCOMPRESSED)
                .addStreamTracerFactory(new MessageLimits())
                .intercept(new CallLimits());
    }

    private ProtocolNegotiator protocol() {
        return tls.map(ListenerTls::grpc)
                .map(InternalProtocolNegotiators::serverTls)
                .orElseGet(InternalProtocolNegotiators::serverPlaintext);
    }
}
