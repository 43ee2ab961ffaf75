package dev.kvstore.dataplane.call;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * Puts a context above each call's own that we may cancel: the transport resets the stream of a call whose context
 * ends by a timeout, and no other part of its interface does that. Thread-safe.
 */
public final class CallContext extends ServerStreamTracer.Factory {
    private static final Context.Key<Context.CancellableContext> CALL = Context.key("kvstore.call");

    /** The context of the call being started. */
    static Context.@Nullable CancellableContext current() {
        return CALL.get();
    }

    @Override
    public ServerStreamTracer newServerStreamTracer(String fullMethodName, Metadata headers) {
        return new ServerStreamTracer() {
            private Context.@Nullable CancellableContext call;

            @Override
            public Context filterContext(Context context) {
                Context.CancellableContext cancellable = context.withCancellation();
                call = cancellable;
                return cancellable.withValue(CALL, cancellable);
            }

            @Override
            public void streamClosed(Status status) {
                if (call != null) {
                    call.cancel(null);
                }
            }
        };
    }
}
