package dev.kvstore.client;

import com.google.protobuf.Empty;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc.KVStoreServiceImplBase;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.ProtoUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A server that speaks the real wire on a real socket and behaves as its script says. */
final class ScriptedServer implements AutoCloseable {
    private final Server server;
    private final List<String> credentials = new CopyOnWriteArrayList<>();

    ScriptedServer(KVStoreServiceImplBase script) {
        this(script, 0);
    }

    ScriptedServer(KVStoreServiceImplBase script, int port) {
        this(script, port, builder -> {});
    }

    ScriptedServer(KVStoreServiceImplBase script, int port, Consumer<NettyServerBuilder> transport) {
        ServerInterceptor recorder = new ServerInterceptor() {
            @Override
            public <Q, R> ServerCall.Listener<Q> interceptCall(
                    ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
                @Nullable String key = headers.get(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER));
                credentials.add(String.valueOf(key));
                return next.startCall(call, headers);
            }
        };
        try {
            NettyServerBuilder builder =
                    NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            transport.accept(builder);
            server = builder.addService(script)
                    .intercept(recorder)
                    .maxInboundMessageSize(65 * 1024 * 1024)
                    .build()
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** One that does not answer when it is asked for its health. */
    static ScriptedServer deaf(KVStoreServiceImplBase script) {
        return withHealth(script, call -> {});
    }

    /** One that answers when it is asked for its health, and tells of it before. */
    static ScriptedServer healthy(KVStoreServiceImplBase script, Runnable asked) {
        return withHealth(script, call -> {
            asked.run();
            call.sendHeaders(new Metadata());
            call.sendMessage(Empty.getDefaultInstance());
            call.close(Status.OK, new Metadata());
        });
    }

    private static ScriptedServer withHealth(KVStoreServiceImplBase script, Consumer<ServerCall<Empty, Empty>> check) {
        MethodDescriptor<Empty, Empty> health = MethodDescriptor.<Empty, Empty>newBuilder()
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName("grpc.health.v1.Health/Check")
                .setRequestMarshaller(ProtoUtils.marshaller(Empty.getDefaultInstance()))
                .setResponseMarshaller(ProtoUtils.marshaller(Empty.getDefaultInstance()))
                .build();
        return new ScriptedServer(
                script,
                0,
                builder -> builder.addService(ServerServiceDefinition.builder("grpc.health.v1.Health")
                        .addMethod(health, (call, _) -> {
                            check.accept(call);
                            return new ServerCall.Listener<>() {};
                        })
                        .build()));
    }

    String endpoint() {
        return "127.0.0.1:" + server.getPort();
    }

    List<String> credentials() {
        return credentials;
    }

    /** Drops all connections at once, as a killed process does. */
    void kill() {
        server.shutdownNow();
    }

    @Override
    public void close() {
        kill();
    }
}
