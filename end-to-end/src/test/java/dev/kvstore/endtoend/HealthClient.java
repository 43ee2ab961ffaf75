package dev.kvstore.endtoend;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;

/** Asks {@code grpc.health.v1.Health} as a probe would, without a key. */
final class HealthClient implements AutoCloseable {
    static final int SERVING = 1;
    static final int NOT_SERVING = 2;

    private static final MethodDescriptor<byte[], byte[]> CHECK = method("Check", MethodDescriptor.MethodType.UNARY);
    private static final MethodDescriptor<byte[], byte[]> WATCH =
            method("Watch", MethodDescriptor.MethodType.SERVER_STREAMING);

    /** The two messages have one field each, and are put together here by hand. */
    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] message) {
            return new ByteArrayInputStream(message);
        }

        @Override
        public byte[] parse(InputStream message) {
            try {
                return message.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private final ManagedChannel channel;

    HealthClient(int port) {
        this.channel =
                NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    }

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodDescriptor.MethodType type) {
        return MethodDescriptor.newBuilder(new Bytes(), new Bytes())
                .setType(type)
                .setFullMethodName("grpc.health.v1.Health/" + name)
                .build();
    }

    /** The serving status of a service, as the wire has it. */
    int check(String service) {
        return status(ClientCalls.blockingUnaryCall(
                channel, CHECK, CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS), request(service)));
    }

    /** What becomes of the serving status of a service, until the server is gone. */
    Iterator<Integer> watch(String service) {
        Iterator<byte[]> answers = ClientCalls.blockingServerStreamingCall(
                channel, WATCH, CallOptions.DEFAULT.withDeadlineAfter(30, TimeUnit.SECONDS), request(service));
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return answers.hasNext();
            }

            @Override
            public Integer next() {
                return status(answers.next());
            }
        };
    }

    private static byte[] request(String service) {
        byte[] name = service.getBytes(StandardCharsets.UTF_8);
        byte[] request = new byte[name.length == 0 ? 0 : name.length + 2];
        if (name.length > 0) {
            request[0] = 1 << 3 | 2;
            request[1] = (byte) name.length;
            System.arraycopy(name, 0, request, 2, name.length);
        }
        return request;
    }

    private static int status(byte[] answer) {
        return answer.length == 2 && answer[0] == 1 << 3 ? answer[1] : 0;
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
