package dev.kvstore.dataplane.server;

import dev.kvstore.listener.FollowingSslContext;
import dev.kvstore.listener.ListenerTls;
import dev.kvstore.protocol.tls.TlsIdentity;
import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * TLS of connections that this process opens: it shows the certificate that it currently serves with to a server that
 * asks for one of its authority. Thread-safe.
 */
final class OutgoingTls {
    private static final Logger LOG = System.getLogger(OutgoingTls.class.getName());

    /** Purposes of a certificate, by RFC 5280, 4.2.1.12: of clients, and any. */
    private static final List<String> FOR_CLIENTS = List.of("1.3.6.1.5.5.7.3.2", "2.5.29.37.0");

    private record OutgoingContext(@Nullable TlsIdentity identity, SslContext context) {}

    private final @Nullable ListenerTls listener;
    private final List<X509Certificate> authorities;
    private volatile @Nullable OutgoingContext latest;

    /**
     * @param listener null if this process serves without TLS, and so has no certificate
     * @param authorities that are trusted to issue the certificates of servers; the JDK's if empty
     */
    OutgoingTls(@Nullable ListenerTls listener, List<X509Certificate> authorities) {
        this.listener = listener;
        this.authorities = List.copyOf(authorities);
    }

    /**
     * A context for any number of connections, each of which begins with the certificate of that moment.
     *
     * @throws IllegalArgumentException if the certificates cannot be used
     */
    SslContext context() {
        var _ = current();
        return new FollowingSslContext(this::current);
    }

    /** Whether there is a certificate that may be shown. */
    boolean hasCertificate() {
        return listener != null && isForClients(listener.identity());
    }

    private SslContext current() {
        TlsIdentity identity = listener == null ? null : listener.identity();
        OutgoingContext known = latest;
        if (known != null && java.util.Objects.equals(known.identity, identity)) {
            return known.context;
        }
        try {
            SslContextBuilder builder = GrpcSslContexts.forClient();
            if (identity != null && isForClients(identity)) {
                builder.keyManager(identity.key(), identity.chain());
            } else if (identity != null) {
                LOG.log(
                        Level.WARNING,
                        "the certificate of {0} is for servers alone, and not shown to others: have it issued for"
                                + " clients too (extended key usage clientAuth)",
                        identity);
            }
            if (!authorities.isEmpty()) {
                builder.trustManager(authorities);
            }
            SslContext made = builder.build();
            latest = new OutgoingContext(identity, made);
            return made;
        } catch (SSLException e) {
            throw new IllegalArgumentException("these certificates cannot be used: " + e.getMessage(), e);
        }
    }

    /** A server that is shown a certificate for servers alone ends the handshake. */
    private static boolean isForClients(TlsIdentity identity) {
        try {
            List<String> purposes = identity.chain().getFirst().getExtendedKeyUsage();
            return purposes == null || purposes.stream().anyMatch(FOR_CLIENTS::contains);
        } catch (CertificateParsingException e) {
            return false;
        }
    }
}
