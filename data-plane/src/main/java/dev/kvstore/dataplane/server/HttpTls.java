package dev.kvstore.dataplane.server;

import dev.kvstore.listener.ListenerTls;
import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.KeyCertOptions;
import jakarta.inject.Singleton;
import java.util.LinkedHashSet;
import java.util.Optional;

/** TLS of the HTTP listener: its only port speaks TLS, with the certificate of the gRPC listener. */
@Singleton
public final class HttpTls implements HttpServerOptionsCustomizer {
    private final Optional<ListenerTls> tls;

    HttpTls(Optional<ListenerTls> tls) {
        this.tls = tls;
    }

    @Override
    public void customizeHttpServer(HttpServerOptions options) {
        tls.ifPresent(listener -> options.setSsl(true)
                .setKeyCertOptions(KeyCertOptions.wrap(listener.httpKeys()))
                .setEnabledSecureTransportProtocols(new LinkedHashSet<>(listener.protocols())));
    }
}
