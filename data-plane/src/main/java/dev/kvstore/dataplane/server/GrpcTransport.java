package dev.kvstore.dataplane.server;

import dev.kvstore.dataplane.account.AccountResolver;
import dev.kvstore.dataplane.call.Authentication;
import dev.kvstore.dataplane.call.CallContext;
import dev.kvstore.dataplane.call.CallMeter;
import dev.kvstore.dataplane.call.Drain;
import dev.kvstore.dataplane.call.InboundMeter;
import dev.kvstore.dataplane.call.Strangers;
import dev.kvstore.dataplane.cluster.PeerToken;
import dev.kvstore.dataplane.server.settings.DataPlaneSettings;
import dev.kvstore.dataplane.wire.LendingAllocator;
import dev.kvstore.listener.AcceptedConnection;
import dev.kvstore.listener.CountedConnections;
import dev.kvstore.listener.FairTurns;
import dev.kvstore.listener.ListenerConnections;
import dev.kvstore.listener.ListenerTls;
import dev.kvstore.protocol.wire.KvStoreMethods;
import dev.kvstore.settings.Version;
import io.grpc.Codec;
import io.grpc.DecompressorRegistry;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.WriteBufferWaterMark;
import io.quarkus.grpc.api.ServerBuilderCustomizer;
import io.quarkus.grpc.runtime.config.GrpcServerConfiguration;
import io.vertx.grpc.VertxServerBuilder;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The settings of the gRPC listener. */
@Singleton
public final class GrpcTransport implements ServerBuilderCustomizer<VertxServerBuilder> {
    /** Most bytes of a call's metadata: API key, trace headers and little else. */
    private static final int MAX_METADATA_BYTES = 16 * 1024;

    /**
     * The largest frame of a connection with a good key: a sixteenth of the system calls of HTTP/2's own 16 KiB. A
     * connection without a good key has 16 KiB, since a frame is in memory until it is whole.
     */
    static final int FRAME_BYTES = 256 << 10;

    /** How long a connection may leave a keepalive unanswered. */
    private static final long KEEPALIVE_TIMEOUT_SECONDS = 20;

    /**
     * Clients may always ping this often: peers and the SDKs ping a silent connection every 10 s, however seldom this
     * process does.
     */
    private static final long CLIENT_PINGS_MILLIS = 5_000;

    /** How long a connection stays on which no call is open: clients come back as they need it. */
    private static final long IDLE_MINUTES = 30;

    /**
     * Calls that a client may reset on one connection in a window of time; many more are an attack (rapid reset). A
     * client with a good key and short deadlines may give up a thousand lookups a second; strangers are refused long
     * before.
     */
    private static final int RESETS = 10_000;

    private static final int RESETS_SECONDS = 10;

    /**
     * The most bytes that wait before a socket that takes none, and the number of waiting bytes below which Netty asks
     * for more. Netty makes no longer frames than fit; by default that is 64 KiB.
     */
    private static final WriteBufferWaterMark UNWRITTEN = new WriteBufferWaterMark(256 * 1024, 1024 * 1024);

    /** A call may say {@code identity}, as some clients do, and nothing else. */
    private static final DecompressorRegistry UNCOMPRESSED =
            DecompressorRegistry.emptyInstance().with(Codec.Identity.NONE, false);

    private final DataPlaneSettings settings;
    private final InboundMeter inbound;
    private final ListenerConnections connections;
    private final AccountResolver accounts;
    private final Strangers strangers;
    private final Optional<ListenerTls> tls;
    private final CallMeter calls;
    private final Drain drain;
    private final PeerToken peers;

    GrpcTransport(
            DataPlaneSettings settings,
            InboundMeter inbound,
            ListenerConnections connections,
            AccountResolver accounts,
            Strangers strangers,
            Optional<ListenerTls> tls,
            CallMeter calls,
            Drain drain,
            PeerToken peers) {
        this.settings = settings;
        this.inbound = inbound;
        this.connections = connections;
        this.accounts = accounts;
        this.strangers = strangers;
        this.tls = tls;
        this.calls = calls;
        this.drain = drain;
        this.peers = peers;
    }

    @Override
    public void customize(GrpcServerConfiguration config, VertxServerBuilder builder) {
        customize(builder.nettyBuilder(), Version.text());
    }

    void customize(NettyServerBuilder builder, String version) {
        int window = Math.toIntExact(settings.flowControlWindow().asLongValue());
        long keepaliveMillis = settings.keepaliveInterval().toMillis();
        builder.protocolNegotiator(new CountedConnections(
                        WholeFrames.of(tls.map(ListenerTls::grpc)),
                        connections,
                        new ListenerConnections.CallWindows(window, FRAME_BYTES, true),
                        settings.proxyProtocolFrom(),
                        new FairTurns(),
                        WholeFrames.CUMULATOR))
                .flowControlWindow(AcceptedConnection.STRANGERS_WINDOW)
                .maxConcurrentCallsPerConnection(settings.maxCallsPerConnection())
                .maxInboundMessageSize(KvStoreMethods.MAX_MESSAGE_BYTES)
                .keepAliveTime(keepaliveMillis, TimeUnit.MILLISECONDS)
                .keepAliveTimeout(KEEPALIVE_TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .handshakeTimeout(AcceptedConnection.SILENCE.toSeconds(), TimeUnit.SECONDS)
                .maxConnectionIdle(IDLE_MINUTES, TimeUnit.MINUTES)
                .maxRstFramesPerWindow(RESETS, RESETS_SECONDS)
                .permitKeepAliveTime(clientPingsMillis(settings.keepaliveInterval()), TimeUnit.MILLISECONDS)
                .permitKeepAliveWithoutCalls(true)
                .maxInboundMetadataSize(MAX_METADATA_BYTES)
                .withChildOption(ChannelOption.TCP_NODELAY, true)
                .withChildOption(ChannelOption.ALLOCATOR, LendingAllocator.SHARED)
                .withChildOption(ChannelOption.WRITE_BUFFER_WATER_MARK, UNWRITTEN)
                // Blocks do not compress, and a message that grows on arrival would escape the bound on memory.
                .decompressorRegistry(UNCOMPRESSED)
                .addTransportFilter(connections)
                .addStreamTracerFactory(inbound)
                .addStreamTracerFactory(calls)
                .addStreamTracerFactory(new CallContext())
                // The interceptor that is added last is asked first.
                .intercept(drain)
                .intercept(new Authentication(accounts, strangers, version, this::isPeer));
    }

    private boolean isPeer(String shown) {
        return settings.cluster().isPresent() && peers.matches(shown);
    }

    /** How often a client may ping, in milliseconds; one that does so more often is sent away. */
    static long clientPingsMillis(Duration keepaliveInterval) {
        return Math.min(keepaliveInterval.toMillis() / 2, CLIENT_PINGS_MILLIS);
    }
}
