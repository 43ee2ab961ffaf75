package dev.kvstore.control.route;

import dev.kvstore.control.transport.CallSlots;
import dev.kvstore.control.transport.CallerGroup;
import dev.kvstore.control.transport.Exhausted;
import dev.kvstore.listener.CallerConnection;
import dev.kvstore.listener.HeldCall;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import jakarta.inject.Singleton;
import java.util.Optional;

/**
 * Lets in clients whose API key is good, by the headers of a call alone. Which resources the key may use is checked
 * later. Thread-safe.
 */
@Singleton
public final class ClientKeys implements ServerInterceptor {
    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    private final KeyOwners owners;
    private final CallSlots slots;

    ClientKeys(KeyOwners owners, CallSlots slots) {
        this.owners = owners;
        this.slots = slots;
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        CallerConnection caller = CallerConnection.of(call);
        Optional<ClientCredential> shown = ClientCredential.of(headers.get(AUTHORIZATION));
        if (shown.isEmpty()) {
            caller.refused();
            return CallSlots.refuse(
                    call,
                    Status.UNAUTHENTICATED
                            .withDescription("an API key is needed: authorization: Bearer kv_<id>_<secret>")
                            .asRuntimeException());
        }
        ClientCredential credential = shown.get();
        return owners.known(credential)
                .map(tenantGroup -> start(call, headers, next, credential, tenantGroup, caller))
                .orElseGet(() -> startLater(call, headers, next, credential, caller));
    }

    private <Q, R> ServerCall.Listener<Q> start(
            ServerCall<Q, R> call,
            Metadata headers,
            ServerCallHandler<Q, R> next,
            ClientCredential credential,
            CallerGroup tenantGroup,
            CallerConnection caller) {
        if (!caller.admit(tenantGroup)) {
            return CallSlots.refuse(call, CallSlots.noConnectionLeft());
        }
        return Contexts.interceptCall(
                Context.current().withValue(ClientCredential.CURRENT, credential),
                call,
                headers,
                (started, with) -> slots.start(started, with, next, tenantGroup));
    }

    /** Starts a call once its key is known to be good. Until then no message of it is received. */
    private <Q, R> ServerCall.Listener<Q> startLater(
            ServerCall<Q, R> call,
            Metadata headers,
            ServerCallHandler<Q, R> next,
            ClientCredential credential,
            CallerConnection caller) {
        HeldCall<Q> held = new HeldCall<>();
        Context context = Context.current();
        boolean asked = owners.ask(credential, caller.origin(), answer -> {
            switch (answer) {
                case KeyOwners.KeyAnswer.Owned(CallerGroup tenantGroup) ->
                    held.start(() -> {
                        Context before = context.attach();
                        try {
                            return start(call, headers, next, credential, tenantGroup, caller);
                        } finally {
                            context.detach(before);
                        }
                    });
                case KeyOwners.KeyAnswer.Refused(StatusRuntimeException refusal) -> {
                    caller.refused();
                    var _ = CallSlots.refuse(call, refusal);
                }
            }
        });
        if (!asked) {
            caller.refused();
            var _ = CallSlots.refuse(
                    call, Exhausted.because("too many API keys are asked about that were never seen here"));
        }
        return held;
    }
}
