package dev.kvstore.control.resolve;

import com.google.protobuf.Any;
import com.google.rpc.BadRequest;
import com.google.rpc.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;

/** Makes the exceptions for a field of a request that breaks its rule. Stateless. */
public final class Invalid {
    private Invalid() {}

    /** {@code INVALID_ARGUMENT}, with the field's name in the message and in a {@link BadRequest}. */
    public static StatusRuntimeException field(String field, String flaw) {
        return StatusProto.toStatusRuntimeException(com.google.rpc.Status.newBuilder()
                .setCode(Code.INVALID_ARGUMENT_VALUE)
                .setMessage(field + ": " + flaw)
                .addDetails(Any.pack(BadRequest.newBuilder()
                        .addFieldViolations(BadRequest.FieldViolation.newBuilder()
                                .setField(field)
                                .setDescription(flaw))
                        .build()))
                .build());
    }
}
