package dev.kvstore.benchmark.peers.load;

import com.google.protobuf.BytesValue;
import com.google.protobuf.UInt32Value;
import io.grpc.MethodDescriptor;
import io.grpc.protobuf.ProtoUtils;

/** The service of the stock gRPC server, as protoc would make it: {@code rpc Get(UInt32Value) returns (BytesValue)}. */
public final class UnaryBytes {
    public static final String SERVICE = "kvstore.benchmark.Peers";

    /** The number of a block in, its bytes out; {@code NOT_FOUND} if it is not there. */
    public static final MethodDescriptor<UInt32Value, BytesValue> GET =
            MethodDescriptor.<UInt32Value, BytesValue>newBuilder()
                    .setType(MethodDescriptor.MethodType.UNARY)
                    .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Get"))
                    .setRequestMarshaller(ProtoUtils.marshaller(UInt32Value.getDefaultInstance()))
                    .setResponseMarshaller(ProtoUtils.marshaller(BytesValue.getDefaultInstance()))
                    .build();

    private UnaryBytes() {}
}
