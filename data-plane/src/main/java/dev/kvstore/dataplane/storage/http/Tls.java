package dev.kvstore.dataplane.storage.http;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS 1.2 and 1.3 towards hosts whose certificate bears their name. A session is taken up again for the next connection
 * to its host. The implementation is BoringSSL where it is there, else the JDK's. Thread-safe.
 */
final class Tls {
    // Sessions of the hosts of all accounts together: the largest number that still takes little memory (some kB each).
    private static final long SESSIONS = 1_000;

    // The time for a goodbye: more than a round trip.
    private static final long GOODBYE_MILLIS = 1_000;

    /**
     * Looks at certificates, which takes milliseconds each: in an event loop it would delay the calls of all accounts.
     * At most one task for each connection that is being opened waits.
     */
    private static final Executor CHECKS = Executors.newFixedThreadPool(
            Math.max(1, Runtime.getRuntime().availableProcessors() / 2),
            Thread.ofPlatform().daemon().name("storage-certificates-", 0).factory());

    private final SslContext context;
    private final Set<SSLEngine> checked = Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /**
     * TLS that trusts servers with a certificate of these authorities.
     *
     * @param authorities null for those that the JDK trusts
     */
    static Tls trusting(@Nullable KeyStore authorities) {
        return new Tls(OpenSsl.isAvailable() ? SslProvider.OPENSSL_REFCNT : SslProvider.JDK, authorities);
    }

    Tls(SslProvider provider, @Nullable KeyStore authorities) {
        this(provider, trust(authorities));
    }

    /** TLS that trusts the servers that this check lets pass. */
    static Tls checking(SslProvider provider, X509ExtendedTrustManager trust) {
        return new Tls(provider, trust);
    }

    private Tls(SslProvider provider, X509ExtendedTrustManager trust) {
        try {
            this.context = SslContextBuilder.forClient()
                    .sslProvider(provider)
                    .protocols("TLSv1.3", "TLSv1.2")
                    .trustManager(new WatchedTrust(trust, checked::add))
                    .endpointIdentificationAlgorithm("HTTPS")
                    .sessionCacheSize(SESSIONS)
                    .build();
        } catch (SSLException e) {
            throw new IllegalStateException("this JDK cannot do TLS: " + e, e);
        }
    }

    /** The JDK's own check of certificates. */
    static X509ExtendedTrustManager trust(@Nullable KeyStore authorities) {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(authorities);
            return Arrays.stream(factory.getTrustManagers())
                    .filter(X509ExtendedTrustManager.class::isInstance)
                    .map(X509ExtendedTrustManager.class::cast)
                    .findFirst()
                    .orElseThrow();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot do TLS: " + e, e);
        }
    }

    /** The TLS handler of a new connection. */
    SslHandler handler(HttpOrigin origin, ByteBufAllocator allocator, HttpOptions options) {
        SslHandler handler = context.newHandler(allocator, origin.host(), origin.port(), CHECKS);
        handler.setHandshakeTimeoutMillis(options.connectTimeout().toMillis());
        // A session counts as good only if both sides said goodbye.
        handler.setCloseNotifyReadTimeoutMillis(GOODBYE_MILLIS);
        return handler;
    }

    /**
     * Whether a handshake that is done took up a session again; only then nobody looked at a certificate. To be asked
     * once.
     */
    boolean isResumed(SslHandler handler) {
        return !checked.remove(handler.engine());
    }
}
