package dev.kvstore.control.transport;

import dev.kvstore.listener.BalancerAddresses;
import dev.kvstore.listener.FairTurns;
import dev.kvstore.protocol.tls.BadPemException;
import dev.kvstore.protocol.tls.Identity;
import dev.kvstore.protocol.tls.PemFile;
import dev.kvstore.protocol.tls.TlsFiles;
import dev.kvstore.protocol.tls.TlsMaterial;
import io.grpc.DecompressorRegistry;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.InternalProtocolNegotiator.ProtocolNegotiator;
import io.grpc.netty.InternalProtocolNegotiators;
import io.grpc.netty.NettyServerBuilder;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContextBuilder;
import io.quarkus.grpc.api.ServerBuilderCustomizer;
import io.quarkus.grpc.runtime.config.GrpcServerConfiguration;
import io.vertx.grpc.VertxServerBuilder;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The settings of the gRPC port, which also tenants and strangers reach. */
@Singleton
public final class GrpcTransport implements ServerBuilderCustomizer<VertxServerBuilder> {
    /** The properties that the command line sets; Quarkus' own would leave no room for a guard before the handshake. */
    public static final String CERTIFICATE = "dev.kvstore.grpc.certificate";

    public static final String KEY = "dev.kvstore.grpc.key";
    public static final String CLIENT_AUTHORITIES = "dev.kvstore.grpc.client-ca";

    /** A data plane asks 64 questions at a time, and has some long calls. */
    private static final int CALLS = 200;

    /** A token or key, trace headers and little else. */
    private static final int METADATA_BYTES = 8 * 1024;

    /** What one call may have sent before it is read. */
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

    private final Connections connections;
    private final BalancerAddresses balancers;
    private final Optional<Path> certificate;
    private final Optional<Path> key;
    private final Optional<Path> clientAuthorities;

    GrpcTransport(
            Connections connections,
            @ConfigProperty(name = "kvstore.proxy-protocol-from", defaultValue = BalancerAddresses.NO_ADDRESS)
                    String balancers,
            @ConfigProperty(name = CERTIFICATE) Optional<Path> certificate,
            @ConfigProperty(name = KEY) Optional<Path> key,
            @ConfigProperty(name = CLIENT_AUTHORITIES) Optional<Path> clientAuthorities) {
        this.connections = connections;
        this.balancers = BalancerAddresses.of(balancers);
        this.certificate = certificate;
        this.key = key;
        this.clientAuthorities = clientAuthorities;
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
                .decompressorRegistry(DecompressorRegistry.emptyInstance())
                .addStreamTracerFactory(new MessageLimits())
                .intercept(new CallLimits());
    }

    private ProtocolNegotiator protocol() {
        if (certificate.isEmpty() || key.isEmpty()) {
            return InternalProtocolNegotiators.serverPlaintext();
        }
        TlsFiles files = new TlsFiles(
                new PemFile("--tls-cert", certificate.get()),
                new PemFile("--tls-key", key.get()),
                clientAuthorities
                        .map(authorities -> new PemFile("--tls-client-ca", authorities))
                        .orElse(null));
        try {
            TlsMaterial material = files.read(Instant.now());
            Identity identity = Objects.requireNonNull(material.identity());
            SslContextBuilder tls =
                    GrpcSslContexts.configure(SslContextBuilder.forServer(identity.key(), identity.chain()));
            if (!material.trust().isEmpty()) {
                tls.trustManager(material.trust()).clientAuth(ClientAuth.OPTIONAL);
            }
            return InternalProtocolNegotiators.serverTls(tls.build());
        } catch (BadPemException e) {
            throw new IllegalStateException(e.flaw(), e);
        } catch (SSLException e) {
            throw new IllegalStateException("--tls-cert, --tls-key or --tls-client-ca cannot be used", e);
        }
    }
}
