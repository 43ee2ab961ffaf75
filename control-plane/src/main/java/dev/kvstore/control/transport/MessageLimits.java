package dev.kvstore.control.transport;

import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;

/** Ends a call as soon as it sends more than its kind needs: half a message is not kept either. Thread-safe. */
final class MessageLimits extends ServerStreamTracer.Factory {
    private static final int FRAME_BYTES = 5;

    @Override
    public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
        int most = CallKind.of(method).bytes() + FRAME_BYTES;
        return new ServerStreamTracer() {
            private long arrived;

            // An exception from here ends the call in the way in which the transport ends it when a message is too
            // large.
            @Override
            public void inboundWireSize(long bytes) {
                arrived += bytes;
                if (arrived > most) {
                    throw Status.RESOURCE_EXHAUSTED
                            .withDescription("a call of this method sends at most " + most + " bytes")
                            .asRuntimeException();
                }
            }
        };
    }
}
