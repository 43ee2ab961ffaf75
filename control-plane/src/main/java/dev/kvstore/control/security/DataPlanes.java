package dev.kvstore.control.security;

import dev.kvstore.accounts.key.Secrets;
import dev.kvstore.clusters.lease.ProcessScope;
import dev.kvstore.clusters.token.JoinTokenText;
import dev.kvstore.control.metrics.ControlPlaneMetrics;
import dev.kvstore.control.transport.CallSlots;
import dev.kvstore.control.transport.CallerGroup;
import dev.kvstore.listener.CallerConnection;
import dev.kvstore.settings.SecretText;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/**
 * Lets in data planes that prove their identity: by a certificate that TLS has verified, by the join token of a
 * cluster, or by the token of the whole platform, where one is set. Their calls and connections count for their
 * cluster. Thread-safe.
 */
@Singleton
public final class DataPlanes implements ServerInterceptor {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);
    private static final String SCHEME = "Bearer ";
    private static final Logger LOG = System.getLogger(DataPlanes.class.getName());

    /** The caller with the platform's token, which is good for as long as this process runs. */
    private static final CallingDataPlane OF_PLATFORM = new CallingDataPlane(ProcessScope.ALL, null, () -> true);

    private final byte @Nullable [] ofPlatform;
    private final AcceptedTokens tokens;
    private final NodeCertificates certificates;
    private final CallSlots slots;
    private final Counter unknown;
    private final Counter ofAnother;

    DataPlanes(
            @ConfigProperty(name = "kvstore.join-token") Optional<String> token,
            AcceptedTokens tokens,
            NodeCertificates certificates,
            CallSlots slots,
            MeterRegistry meters) {
        this.unknown = ControlPlaneMetrics.DATA_PLANES_REFUSED.counter(meters, "credential");
        this.ofAnother = ControlPlaneMetrics.DATA_PLANES_REFUSED.counter(meters, "scope");
        this.tokens = tokens;
        this.certificates = certificates;
        this.slots = slots;
        this.ofPlatform = token.map(SecretText::of)
                .filter(text -> !text.isEmpty())
                .map(Secrets::sha256)
                .orElse(null);
        if (ofPlatform != null) {
            LOG.log(
                    Level.WARNING,
                    "KVSTORE_JOIN_TOKEN is set: whoever has it is a data plane of any cluster. Make join tokens of clusters"
                            + " (kv admin create join-token), and unset it");
        }
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        CallerConnection callerConnection = CallerConnection.of(call);
        Optional<CallingDataPlane> caller = byCertificate(call).or(() -> byToken(headers));
        if (caller.isEmpty()) {
            unknown.increment();
            callerConnection.refused();
            return CallSlots.refuse(call, refusal().asRuntimeException());
        }
        CallerGroup clusterGroup = caller.get().group();
        if (!callerConnection.admit(clusterGroup)) {
            return CallSlots.refuse(call, CallSlots.noConnectionLeft());
        }
        return Contexts.interceptCall(
                caller.get().attach(Context.current()),
                new CountedCall<>(call, ofAnother),
                headers,
                (started, with) -> slots.start(started, with, next, clusterGroup));
    }

    /** A call that is counted if it is refused because it concerns another data plane. */
    private static final class CountedCall<Q, R> extends SimpleForwardingServerCall<Q, R> {
        private final Counter denied;

        CountedCall(ServerCall<Q, R> call, Counter denied) {
            super(call);
            this.denied = denied;
        }

        @Override
        public void close(Status status, Metadata trailers) {
            if (status.getCode() == Status.Code.PERMISSION_DENIED) {
                denied.increment();
            }
            super.close(status, trailers);
        }
    }

    private Status refusal() {
        return tokens.isReady()
                ? Status.UNAUTHENTICATED.withDescription(
                        "a join token of a cluster is needed, or a client certificate that names cluster and node")
                : Status.UNAVAILABLE.withDescription("join tokens have not been read from the database yet");
    }

    private Optional<CallingDataPlane> byToken(Metadata headers) {
        String header = headers.get(AUTHORIZATION);
        if (header == null || !header.startsWith(SCHEME)) {
            return Optional.empty();
        }
        String text = header.substring(SCHEME.length());
        Optional<CallingDataPlane> ofCluster = JoinTokenText.of(text).flatMap(tokens::of);
        if (ofCluster.isPresent()) {
            return ofCluster;
        }
        return ofPlatform != null && MessageDigest.isEqual(ofPlatform, Secrets.sha256(text))
                ? Optional.of(OF_PLATFORM)
                : Optional.empty();
    }

    private Optional<CallingDataPlane> byCertificate(ServerCall<?, ?> call) {
        SSLSession session = call.getAttributes().get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
        if (session == null) {
            return Optional.empty();
        }
        try {
            Certificate[] chain = session.getPeerCertificates();
            return chain.length == 0 ? Optional.empty() : certificates.of(chain[0]);
        } catch (SSLPeerUnverifiedException e) {
            return Optional.empty();
        }
    }
}
