package dev.kvstore.dataplane.service;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import org.jspecify.annotations.Nullable;

/** Remembers the context that the transport made for a call, which alone can reset the call's stream. Outermost. */
public final class CallContext implements ServerInterceptor {
    private static final Context.Key<Context.CancellableContext> CALL = Context.key("kvstore.call");

    /** The context of the call being started, or null if the transport made none that can be cancelled. */
    static Context.@Nullable CancellableContext current() {
        return CALL.get();
    }

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        return Context.current() instanceof Context.CancellableContext context
                ? Contexts.interceptCall(context.withValue(CALL, context), call, headers, next)
                : next.startCall(call, headers);
    }
}
