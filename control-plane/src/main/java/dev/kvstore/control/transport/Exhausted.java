package dev.kvstore.control.transport;

import com.google.protobuf.Any;
import com.google.protobuf.Duration;
import com.google.rpc.Code;
import com.google.rpc.RetryInfo;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;

/** The answer to a call for which there is no room. Stateless. */
public final class Exhausted {
    private static final int TRY_AGAIN_NANOS = 500_000_000;

    private Exhausted() {}

    /** {@code RESOURCE_EXHAUSTED}, with a retry delay. */
    public static StatusRuntimeException because(String reason) {
        return StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                .setCode(Code.RESOURCE_EXHAUSTED_VALUE)
                .setMessage(reason)
                .addDetails(Any.pack(RetryInfo.newBuilder()
                        .setRetryDelay(Duration.newBuilder().setNanos(TRY_AGAIN_NANOS))
                        .build()))
                .build());
    }
}
