package dev.kvstore.dataplane.service;

import dev.kvstore.dataplane.account.AccountResolver;
import dev.kvstore.dataplane.account.Credential;
import dev.kvstore.protocol.format.BlockHeader;
import dev.kvstore.protocol.peer.v1.PeerServiceGrpc;
import dev.kvstore.protocol.wire.Credentials;
import dev.kvstore.protocol.wire.Parts;
import dev.kvstore.protocol.wire.ServerInfo;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.function.Predicate;

/**
 * Lets in calls with an API key that may be good, about health alone, or of peers that prove to be some, and puts what
 * the server says of itself on every answer. Hashes a key once per call. Thread-safe.
 */
public final class Authentication implements ServerInterceptor {
    private static final Context.Key<Credential> CREDENTIAL = Context.key("kvstore.credential");

    private final HealthCalls health = new HealthCalls();
    private final AccountResolver accounts;
    private final String version;
    private final Predicate<String> isPeer;

    /**
     * Lets in who is known.
     *
     * @param isPeer whether what a caller shows is what peers do
     */
    public Authentication(AccountResolver accounts, String version, Predicate<String> isPeer) {
        this.accounts = accounts;
        this.version = version;
        this.isPeer = isPeer;
    }

    /** Who makes the call that is being started. */
    static Credential credential() {
        return CREDENTIAL.get();
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        ServerCall<Q, R> introduced = new Introduced<>(call);
        if (HealthCalls.SERVICE.equals(call.getMethodDescriptor().getServiceName())) {
            return health.start(call, headers, next);
        }
        String key = Credentials.key(headers);
        if (PeerServiceGrpc.SERVICE_NAME.equals(call.getMethodDescriptor().getServiceName())) {
            return key != null && isPeer.test(key) ? next.startCall(call, headers) : refuse(introduced);
        }
        Credential credential = key == null ? null : Credential.of(key);
        if (credential == null || !accounts.knows(credential)) {
            return refuse(introduced);
        }
        return Contexts.interceptCall(Context.current().withValue(CREDENTIAL, credential), introduced, headers, next);
    }

    private static <Q> ServerCall.Listener<Q> refuse(ServerCall<Q, ?> call) {
        Failures.close(call, Refusal.unauthenticated());
        return new ServerCall.Listener<>() {};
    }

    /** A call whose answer says who answers, even when it is nothing but an error. */
    private final class Introduced<Q, R> extends SimpleForwardingServerCall<Q, R> {
        private boolean introduced;

        Introduced(ServerCall<Q, R> call) {
            super(call);
        }

        @Override
        public void sendHeaders(Metadata headers) {
            introduce(headers);
            super.sendHeaders(headers);
        }

        @Override
        public void close(Status status, Metadata trailers) {
            if (!introduced) {
                introduce(trailers);
            }
            super.close(status, trailers);
        }

        private void introduce(Metadata metadata) {
            introduced = true;
            metadata.put(ServerInfo.VERSION, version);
            metadata.put(ServerInfo.MAX_BLOCK_BYTES, Integer.toString(BlockHeader.MAX_BUFFER_BYTES));
            metadata.put(ServerInfo.MAX_PART_BYTES, Integer.toString(Parts.MAX_BYTES));
        }
    }
}
