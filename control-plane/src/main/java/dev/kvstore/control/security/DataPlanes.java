package dev.kvstore.control.security;

import dev.kvstore.accounts.key.Secrets;
import dev.kvstore.control.transport.Connections;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import jakarta.inject.Singleton;
import java.security.MessageDigest;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/** Lets in data planes that prove who they are: by the join token, or by a certificate that TLS has verified. Thread-safe. */
@Singleton
public final class DataPlanes implements ServerInterceptor {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final String SCHEME = "Bearer ";

    private final byte @Nullable [] expected;
    private final Connections connections;

    DataPlanes(@ConfigProperty(name = "kvstore.join-token") Optional<String> token, Connections connections) {
        this.connections = connections;
        this.expected =
                token.filter(text -> !text.isEmpty()).map(Secrets::sha256).orElse(null);
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        if (hasToken(headers) || hasCertificate(call)) {
            connections.proven(call.getAttributes());
            return next.startCall(call, headers);
        }
        call.close(
                Status.UNAUTHENTICATED.withDescription("a join token or a client certificate is needed"),
                new Metadata());
        return new ServerCall.Listener<>() {};
    }

    private boolean hasToken(Metadata headers) {
        String header = headers.get(AUTHORIZATION);
        return expected != null
                && header != null
                && header.startsWith(SCHEME)
                && MessageDigest.isEqual(expected, Secrets.sha256(header.substring(SCHEME.length())));
    }

    private static boolean hasCertificate(ServerCall<?, ?> call) {
        SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
        try {
            return session != null && session.getPeerCertificates().length > 0;
        } catch (SSLPeerUnverifiedException e) {
            return false;
        }
    }
}
