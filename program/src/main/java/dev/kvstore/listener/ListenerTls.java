package dev.kvstore.listener;

import dev.kvstore.protocol.tls.BadPemException;
import dev.kvstore.protocol.tls.TlsFiles;
import dev.kvstore.protocol.tls.TlsIdentity;
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
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS of a program's two listeners, from files that are followed. gRPC requests certificates of clients if authorities
 * are named; HTTP never does, since probes and scrapers have none. Thread-safe; one thread at a time calls {@link
 * #poll}.
 */
public final class ListenerTls {
    private static final Logger LOG = System.getLogger(ListenerTls.class.getName());

    private record InUse(TlsIdentity identity, SslContext grpc) {}

    private final String option;
    private final InstantSource clock;
    private final List<String> protocols;
    private final AdvancedTlsX509KeyManager httpKeys = new AdvancedTlsX509KeyManager();
    private final TlsRotation<InUse> rotation;
    private final LongAdder renewals = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private @Nullable TlsIdentity warnedOf;
    private @Nullable TlsIdentity endedOf;

    /**
     * Makes TLS of the files' present content.
     *
     * @param files a certificate, its key, and the authorities of clients' certificates if these are requested
     * @param protocols versions of TLS that clients may use, such as {@code TLSv1.3}; the best first
     * @param clients whether a client of gRPC must show a certificate, if there are authorities
     * @throws BadPemException if a file cannot be used
     */
    public ListenerTls(TlsFiles files, List<String> protocols, ClientAuth clients, InstantSource clock)
            throws BadPemException {
        this.option = Objects.requireNonNull(files.chain()).option();
        this.clock = clock;
        this.protocols = List.copyOf(protocols);
        this.rotation = new TlsRotation<>(files, clock, material -> use(material, clients));
    }

    private InUse use(TlsMaterial material, ClientAuth clients) throws BadPemException {
        TlsIdentity identity = Objects.requireNonNull(material.identity());
        InUse next = new InUse(identity, grpc(identity, material.trust(), clients));
        httpKeys.updateIdentityCredentials(identity.chain().toArray(X509Certificate[]::new), identity.key());
        return next;
    }

    private SslContext grpc(TlsIdentity identity, List<X509Certificate> clientCa, ClientAuth clients)
            throws BadPemException {
        try {
            SslContextBuilder builder = GrpcSslContexts.configure(
                            SslContextBuilder.forServer(identity.key(), identity.chain()), provider())
                    .protocols(protocols);
            if (!clientCa.isEmpty()) {
                builder.trustManager(clientCa).clientAuth(clients);
            }
            return builder.build();
        } catch (SSLException | IllegalArgumentException e) {
            throw new BadPemException(
                    option + ": " + stack() + " refuses the certificate of " + identity.name() + ": " + e.getMessage());
        }
    }

    private static SslProvider provider() {
        return OpenSsl.isAvailable()
                        && SslProvider.isAlpnSupported(SslProvider.OPENSSL)
                        && SslProvider.isTlsv13Supported(SslProvider.OPENSSL)
                ? SslProvider.OPENSSL
                : SslProvider.JDK;
    }

    /**
     * The library that computes gRPC's TLS on this machine: {@code boringssl}, or {@code jdk} where BoringSSL is not
     * available.
     */
    public static String stack() {
        return provider() == SslProvider.OPENSSL ? "boringssl" : "jdk";
    }

    /** The TLS context of gRPC connections; each connection begins with the certificate that is current then. */
    public SslContext grpc() {
        return new FollowingSslContext(() -> rotation.current().grpc());
    }

    /** The key manager of HTTP connections; each connection begins with the certificate that is current then. */
    public X509ExtendedKeyManager httpKeys() {
        return httpKeys;
    }

    /** The versions of TLS that clients may use. */
    public List<String> protocols() {
        return protocols;
    }

    /** The option that names the certificate's file, such as {@code --tls-cert}. */
    public String option() {
        return option;
    }

    /** The identity whose certificate new connections see. */
    public TlsIdentity identity() {
        return rotation.current().identity();
    }

    /** The time until the certificate in use ends; negative once it has ended. */
    public Duration left() {
        return Duration.between(clock.instant(), identity().expiry());
    }

    /** Whether the certificate in use should have been renewed. */
    public boolean endsSoon() {
        return identity().endsSoon(clock.instant());
    }

    /** The number of times that changed files were put to use. */
    public long renewals() {
        return renewals.sum();
    }

    /** The number of times that changed files could not be used. */
    public long failures() {
        return failures.sum();
    }

    /** Checks whether the files have changed. */
    public void poll() {
        switch (rotation.poll()) {
            case TlsRotation.UnchangedFiles() -> {}
            case TlsRotation.Renewed() -> {
                renewals.increment();
                LOG.log(Level.INFO, "new connections use the certificate of {0}", identity());
            }
            case TlsRotation.RefusedFiles(String flaw) -> {
                failures.increment();
                LOG.log(
                        Level.ERROR,
                        "{0}. New connections go on using the previous certificate, {1}",
                        flaw,
                        identity());
            }
        }
        warn(identity());
    }

    /** Logs once that a certificate will end, and once that it has ended. */
    private void warn(TlsIdentity identity) {
        if (!left().isPositive() && !identity.equals(endedOf)) {
            endedOf = identity;
            warnedOf = identity;
            LOG.log(
                    Level.ERROR,
                    "the certificate of {0} has ended, and no new client believes it: renew the file of {1}; no restart is"
                            + " needed",
                    identity,
                    option);
        } else if (endsSoon() && !identity.equals(warnedOf)) {
            warnedOf = identity;
            LOG.log(Level.WARNING, "the certificate of {0} should have been renewed", identity);
        }
    }
}
