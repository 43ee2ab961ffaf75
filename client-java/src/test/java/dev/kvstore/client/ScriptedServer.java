package dev.kvstore.client;

import dev.kvstore.protocol.v1.KVStoreServiceGrpc.KVStoreServiceImplBase;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.netty.NettyServerBuilder;
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

    String endpoint() {
        return "127.0.0.1:" + server.getPort();
    }

    List<String> credentials() {
        return credentials;
    }

    /** Drops all connections at once, as a killed process does. */
    @Override
    public void close() {
        server.shutdownNow();
    }
}
