package dev.kvstore.control.transport;

import dev.kvstore.listener.CallerConnection;
import dev.kvstore.listener.HealthCalls;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;

/**
 * Gives health checks, which have no credential, slots of their own. The interceptors of the other services check
 * credentials. A service that is unknown here has no such interceptor, and is not served. Thread-safe.
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
