package dev.kvstore.endtoend;

import com.google.protobuf.Int32Value;
import com.google.protobuf.StringValue;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;

/** Asks {@code grpc.health.v1.Health} as a probe would, without a key. */
final class HealthClient implements AutoCloseable {
    static final int SERVING = 1;
    static final int NOT_SERVING = 2;

    private static final MethodDescriptor<StringValue, Int32Value> CHECK =
            method("Check", MethodDescriptor.MethodType.UNARY);
    private static final MethodDescriptor<StringValue, Int32Value> WATCH =
            method("Watch", MethodDescriptor.MethodType.SERVER_STREAMING);

    private final ManagedChannel channel;

    HealthClient(int port) {
        this.channel =
                NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    }

    /** On the wire its messages, of one field each, are those that protobuf has for such a field alone. */
    private static MethodDescriptor<StringValue, Int32Value> method(String name, MethodDescriptor.MethodType type) {
        return MethodDescriptor.<StringValue, Int32Value>newBuilder()
                .setType(type)
                .setFullMethodName("grpc.health.v1.Health/" + name)
                .setRequestMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
                .setResponseMarshaller(ProtoUtils.marshaller(Int32Value.getDefaultInstance()))
                .build();
    }

    /** The serving status of a service, as the wire has it. */
    int check(String service) {
        return ClientCalls.blockingUnaryCall(
                        channel,
                        CHECK,
                        CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS),
                        StringValue.of(service))
                .getValue();
    }

    /** The serving statuses of a service, until the server is gone. */
    Iterator<Integer> watch(String service) {
        Iterator<Int32Value> answers = ClientCalls.blockingServerStreamingCall(
                channel, WATCH, CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS), StringValue.of(service));
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return answers.hasNext();
            }

            @Override
            public Integer next() {
                return answers.next().getValue();
            }
        };
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
