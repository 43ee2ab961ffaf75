package dev.kvstore.control.transport;

import dev.kvstore.listener.CallerConnection;
import dev.kvstore.listener.HealthCalls;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

/**
 * Gives health, which is asked for without a credential, slots of its own. The interceptors of the other services look
 * at credentials; a service that is not known here has none, and is not served. Thread-safe.
 */
final class PublicCalls implements ServerInterceptor {
    private final HealthCalls health = new HealthCalls(() -> {}, () -> {});

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
        if (HealthCalls.SERVICE.equals(call.getMethodDescriptor().getServiceName())) {
            return health.start(call, headers, next, CallerConnection.of(call));
        }
        if (CallKind.of(call.getMethodDescriptor().getFullMethodName()) == CallKind.OTHER) {
            return CallSlots.refuse(call, Status.UNIMPLEMENTED.asRuntimeException());
        }
        return next.startCall(call, headers);
    }
}
