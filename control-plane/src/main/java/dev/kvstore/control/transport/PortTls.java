package dev.kvstore.control.transport;

import dev.kvstore.listener.ListenerTls;
import dev.kvstore.protocol.tls.BadPemException;
import dev.kvstore.protocol.tls.PemFile;
import dev.kvstore.protocol.tls.TlsFiles;
import io.netty.handler.ssl.ClientAuth;
import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.KeyCertOptions;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/**
 * TLS of the REST port and of the gRPC port: one certificate, from files that are followed. The gRPC port alone asks
 * for a client's certificate, which is optional: a data plane may have a join token instead.
 */
public final class PortTls {
    /**
     * The property with the certificate, which the command line sets. Quarkus' own properties would leave no room for a
     * guard before the handshake.
     */
    public static final String CERTIFICATE = "dev.kvstore.grpc.certificate";

    public static final String KEY = "dev.kvstore.grpc.key";
    public static final String CLIENT_AUTHORITIES = "dev.kvstore.grpc.client-ca";

    private static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

    /** The files that the command line names. */
    public static TlsFiles files(Path certificate, Path key, @Nullable Path clientAuthorities) {
        return new TlsFiles(
                new PemFile("--tls-cert", certificate),
                new PemFile("--tls-key", key),
                clientAuthorities == null ? null : new PemFile("--tls-client-ca", clientAuthorities));
    }

    /** The TLS of both ports; empty if they speak plaintext. */
    @Produces
    @Singleton
    static Optional<ListenerTls> tls(
            @ConfigProperty(name = CERTIFICATE) Optional<Path> certificate,
            @ConfigProperty(name = KEY) Optional<Path> key,
            @ConfigProperty(name = CLIENT_AUTHORITIES) Optional<Path> clientAuthorities)
            throws BadPemException {
        if (certificate.isEmpty() || key.isEmpty()) {
            return Optional.empty();
        }
        TlsFiles files = files(certificate.get(), key.get(), clientAuthorities.orElse(null));
        return Optional.of(new ListenerTls(files, PROTOCOLS, ClientAuth.OPTIONAL, InstantSource.system()));
    }

    /** Makes the REST port show the present certificate, in place of the one that Quarkus read at the start. */
    @Singleton
    static final class OfRest implements HttpServerOptionsCustomizer {
        private final Optional<ListenerTls> tls;

        OfRest(Optional<ListenerTls> tls) {
            this.tls = tls;
        }

        @Override
        public void customizeHttpsServer(HttpServerOptions options) {
            tls.ifPresent(listener -> options.setKeyCertOptions(KeyCertOptions.wrap(listener.httpKeys())));
        }
    }
}
