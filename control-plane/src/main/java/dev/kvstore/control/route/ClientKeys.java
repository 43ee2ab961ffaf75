package dev.kvstore.control.route;

import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import jakarta.inject.Singleton;
import java.util.Optional;

/**
 * Reads the key that a client shows, and refuses a call without one. Whether the key is good is checked later.
 * Thread-safe.
 */
@Singleton
public final class ClientKeys implements ServerInterceptor {
    /** The attributes of the connection that a call came over. */
    static final Context.Key<Attributes> CONNECTION = Context.key("kvstore-client-connection");

    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        Optional<ClientCredential> credential = ClientCredential.of(headers.get(AUTHORIZATION));
        if (credential.isPresent()) {
            Context context = Context.current()
                    .withValue(ClientCredential.CURRENT, credential.get())
                    .withValue(CONNECTION, call.getAttributes());
            return Contexts.interceptCall(context, call, headers, next);
        }
        call.close(
                Status.UNAUTHENTICATED.withDescription("an API key is needed: authorization: Bearer kv_<id>_<secret>"),
                new Metadata());
        return new ServerCall.Listener<>() {};
    }
}
