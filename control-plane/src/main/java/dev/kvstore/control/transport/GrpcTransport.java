package dev.kvstore.control.transport;

import dev.kvstore.listener.AcceptedConnection;
import dev.kvstore.listener.BalancerAddresses;
import dev.kvstore.listener.CountedConnections;
import dev.kvstore.listener.FairTurns;
import dev.kvstore.listener.ListenerConnections;
import dev.kvstore.listener.ListenerTls;
import io.grpc.Codec;
import io.grpc.DecompressorRegistry;
import io.grpc.netty.InternalProtocolNegotiator.ProtocolNegotiator;
import io.grpc.netty.InternalProtocolNegotiators;
import io.grpc.netty.NettyServerBuilder;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.quarkus.grpc.api.ServerBuilderCustomizer;
import io.quarkus.grpc.runtime.config.GrpcServerConfiguration;
import io.vertx.grpc.VertxServerBuilder;
import jakarta.inject.Singleton;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The settings of the gRPC port, which tenants and strangers reach, too. */
@Singleton
public final class GrpcTransport implements ServerBuilderCustomizer<VertxServerBuilder> {
    /** The most calls of a connection: a data plane asks 64 questions at a time, and has some long calls. */
    private static final int CALLS = 200;

    /** The most bytes of a call's metadata: a token or key, trace headers and little else. */
    private static final int METADATA_BYTES = 8 * 1024;

    /**
     * The windows of a connection with a good credential. Frames have HTTP/2's default size, since messages are short.
     * Calls have no common window: {@link MessageLimits} bounds each of them, and ends a call in a way that leaves its
     * stream open.
     */
    private static final ListenerConnections.CallWindows WINDOWS =
            new ListenerConnections.CallWindows(256 * 1024, Http2CodecUtil.DEFAULT_MAX_FRAME_SIZE, false);

    private static final long IDLE_MINUTES = 5;
    private static final long KEEPALIVE_SECONDS = 60;
    private static final long KEEPALIVE_TIMEOUT_SECONDS = 20;

    /** The shortest permitted time between two keepalive pings: half of the least that clients may be set to. */
    private static final long PERMITTED_KEEPALIVE_SECONDS = 5;

    /**
     * The most resets in {@link #RESETS_SECONDS}: more than a data plane makes if all its questions meet their
     * deadlines.
     */
    private static final int RESETS = 500;

    private static final int RESETS_SECONDS = 10;

    /** A registry with {@code identity} alone, which some clients name. */
    private static final DecompressorRegistry UNCOMPRESSED =
            DecompressorRegistry.emptyInstance().with(Codec.Identity.NONE, false);

    private final ListenerConnections connections;
    private final BalancerAddresses balancers;
    private final Optional<ListenerTls> tls;

    GrpcTransport(
            ListenerConnections connections,
            @ConfigProperty(name = "kvstore.proxy-protocol-from") BalancerAddresses balancers,
            Optional<ListenerTls> tls) {
        this.connections = connections;
        this.balancers = balancers;
        this.tls = tls;
    }

    @Override
    public void customize(GrpcServerConfiguration config, VertxServerBuilder builder) {
        customize(builder.nettyBuilder());
    }

    void customize(NettyServerBuilder builder) {
        builder.protocolNegotiator(new CountedConnections(
                        protocol(),
                        connections,
                        WINDOWS,
                        balancers,
                        new FairTurns(),
                        ByteToMessageDecoder.MERGE_CUMULATOR))
                .maxConcurrentCallsPerConnection(CALLS)
                .maxInboundMessageSize(CallKind.MOST_BYTES)
                .maxInboundMetadataSize(METADATA_BYTES)
                .flowControlWindow(AcceptedConnection.STRANGERS_WINDOW)
                .handshakeTimeout(AcceptedConnection.SILENCE.toSeconds(), TimeUnit.SECONDS)
                .maxConnectionIdle(IDLE_MINUTES, TimeUnit.MINUTES)
                .keepAliveTime(KEEPALIVE_SECONDS, TimeUnit.SECONDS)
                .keepAliveTimeout(KEEPALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .permitKeepAliveTime(PERMITTED_KEEPALIVE_SECONDS, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .maxRstFramesPerWindow(RESETS, RESETS_SECONDS)
                // A compressed message, which grows on arrival, would escape its limit.
                .decompressorRegistry(UNCOMPRESSED)
                .addTransportFilter(connections)
                .addStreamTracerFactory(new MessageLimits())
                .intercept(new PublicCalls());
    }

    private ProtocolNegotiator protocol() {
        return tls.map(ListenerTls::grpc)
                .map(InternalProtocolNegotiators::serverTls)
                .orElseGet(InternalProtocolNegotiators::serverPlaintext);
    }
}
