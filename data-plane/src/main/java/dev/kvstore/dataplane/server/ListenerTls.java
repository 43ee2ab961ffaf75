package dev.kvstore.dataplane.server;

import dev.kvstore.protocol.tls.BadPemException;
import dev.kvstore.protocol.tls.Identity;
import dev.kvstore.protocol.tls.PemFile;
import dev.kvstore.protocol.tls.TlsFiles;
import dev.kvstore.protocol.tls.TlsMaterial;
import dev.kvstore.protocol.tls.TlsRotation;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.util.AdvancedTlsX509KeyManager;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS of both listeners, from files that are followed. gRPC asks clients for certificates if authorities are named;
 * HTTP never does, since probes and scrapers have none. Thread-safe; {@link #poll} for one thread at a time.
 */
final class ListenerTls {
    private static final Logger LOG = System.getLogger(ListenerTls.class.getName());

    private record InUse(Identity identity, SslContext grpc) {}

    private final InstantSource clock;
    private final List<String> protocols;
    private final AdvancedTlsX509KeyManager httpKeys = new AdvancedTlsX509KeyManager();
    private final TlsRotation<InUse> rotation;
    private final LongAdder renewals = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private @Nullable Identity warnedOf;

    private ListenerTls(TlsFiles files, List<String> protocols, InstantSource clock) throws BadPemException {
        this.clock = clock;
        this.protocols = protocols;
        AdvancedTlsX509KeyManager keys = httpKeys;
        this.rotation = new TlsRotation<>(files, clock, material -> use(material, protocols, keys));
    }

    /**
     * TLS as it is set; empty if it is not.
     *
     * @throws BadPemException if a file cannot be used
     */
    static Optional<ListenerTls> of(Settings settings, InstantSource clock) throws BadPemException {
        if (settings.tlsCert().isEmpty()) {
            return Optional.empty();
        }
        TlsFiles files = new TlsFiles(
                file(TlsFlags.CERTIFICATE, settings.tlsCert()),
                file(TlsFlags.KEY, settings.tlsKey()),
                file(TlsFlags.CLIENT_CA, settings.tlsClientCa()));
        List<String> protocols =
                settings.tlsMinVersion().equals("1.2") ? List.of("TLSv1.3", "TLSv1.2") : List.of("TLSv1.3");
        return Optional.of(new ListenerTls(files, protocols, clock));
    }

    private static @Nullable PemFile file(String flag, Optional<Path> path) {
        return path.isPresent() ? new PemFile(flag, path.get()) : null;
    }

    private static InUse use(TlsMaterial material, List<String> protocols, AdvancedTlsX509KeyManager http)
            throws BadPemException {
        Identity identity = Objects.requireNonNull(material.identity());
        InUse next = new InUse(identity, grpc(identity, material.trust(), protocols));
        http.updateIdentityCredentials(identity.chain().toArray(X509Certificate[]::new), identity.key());
        return next;
    }

    private static SslContext grpc(Identity identity, List<X509Certificate> clientCa, List<String> protocols)
            throws BadPemException {
        try {
            SslContextBuilder builder = GrpcSslContexts.configure(
                            SslContextBuilder.forServer(identity.key(), identity.chain()), provider())
                    .protocols(protocols);
            if (!clientCa.isEmpty()) {
                builder.trustManager(clientCa).clientAuth(ClientAuth.REQUIRE);
            }
            return builder.build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new BadPemException(TlsFlags.CERTIFICATE + ": " + stack() + " refuses the certificate of "
                    + identity.name() + ": " + e.getMessage());
        }
    }

    private static SslProvider provider() {
        return OpenSsl.isAvailable()
                        && SslProvider.isAlpnSupported(SslProvider.OPENSSL)
                        && SslProvider.isTlsv13Supported(SslProvider.OPENSSL)
                ? SslProvider.OPENSSL
                : SslProvider.JDK;
    }

    /** What gRPC's TLS is computed by on this machine: {@code boringssl}, or {@code jdk} where that is not to be had. */
    static String stack() {
        return provider() == SslProvider.OPENSSL ? "boringssl" : "jdk";
    }

    SslContext grpc() {
        return new FollowingSslContext(() -> rotation.current().grpc());
    }

    X509ExtendedKeyManager httpKeys() {
        return httpKeys;
    }

    List<String> protocols() {
        return protocols;
    }

    Identity identity() {
        return rotation.current().identity();
    }

    /** Until the certificate in use ends; negative once it has. */
    Duration left() {
        return Duration.between(clock.instant(), identity().expiry());
    }

    boolean endsSoon() {
        return identity().endsSoon(clock.instant());
    }

    long renewals() {
        return renewals.sum();
    }

    long failures() {
        return failures.sum();
    }

    /** Looks whether the files have changed. */
    void poll() {
        switch (rotation.poll()) {
            case TlsRotation.Unchanged() -> {}
            case TlsRotation.Renewed() -> {
                renewals.increment();
                LOG.log(Level.INFO, "new connections use the certificate of {0}", identity());
            }
            case TlsRotation.Refused(String flaw) -> {
                failures.increment();
                LOG.log(
                        Level.ERROR,
                        "{0}. New connections go on using the previous certificate, {1}",
                        flaw,
                        identity());
            }
        }
        Identity identity = identity();
        if (endsSoon() && !identity.equals(warnedOf)) {
            warnedOf = identity;
            LOG.log(Level.WARNING, "the certificate of {0} should have been renewed", identity);
        }
    }
}
