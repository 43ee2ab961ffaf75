package dev.kvstore.control.security;

import dev.kvstore.testing.Patience;
import grpc.health.v1.HealthGrpc;
import grpc.health.v1.HealthOuterClass.HealthCheckRequest;
import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Connections of one address whose calls begin and send no message. */
final class HalfSentCalls implements AutoCloseable {
    private final String address;
    private final int port;
    private final List<ManagedChannel> channels = new ArrayList<>();

    /** @param address of this machine */
    HalfSentCalls(String address, int port) {
        this.address = address;
        this.port = port;
    }

    /** A connection of its own. */
    ManagedChannel connect() {
        return connect(NettyChannelBuilder.forAddress("127.0.0.1", port));
    }

    /** A connection of its own that takes one byte of an answer. */
    ManagedChannel connectUnread() {
        return connect(NettyChannelBuilder.forAddress("127.0.0.1", port).flowControlWindow(1));
    }

    private ManagedChannel connect(NettyChannelBuilder builder) {
        ManagedChannel channel = builder.usePlaintext()
                .localSocketPicker(new NettyChannelBuilder.LocalSocketPicker() {
                    @Override
                    public SocketAddress createSocketAddress(SocketAddress remote, Attributes attributes) {
                        return new InetSocketAddress(InetAddress.ofLiteral(address), 0);
                    }
                })
                .build();
        channels.add(channel);
        return channel;
    }

    /**
     * Opens connections, and begins calls on each.
     *
     * @return how each call ended, once it has
     */
    <Q, R> List<CompletableFuture<Status>> begin(
            MethodDescriptor<Q, R> method, String credential, int connections, int calls) {
        // gRPC keeps the headers of a call back that has one message, until that is there.
        MethodDescriptor<Q, R> open = method.toBuilder()
                .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                .build();
        List<CompletableFuture<Status>> ends = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            ManagedChannel channel = connect();
            for (int c = 0; c < calls; c++) {
                ends.add(begin(channel.newCall(open, CallOptions.DEFAULT), credential));
            }
        }
        channels.forEach(HalfSentCalls::awaitAnswer);
        return ends;
    }

    private static <R> CompletableFuture<Status> begin(ClientCall<?, R> call, String credential) {
        CompletableFuture<Status> end = new CompletableFuture<>();
        Metadata headers = new Metadata();
        headers.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + credential);
        call.start(
                new ClientCall.Listener<R>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        end.complete(status);
                    }
                },
                headers);
        call.request(1);
        return end;
    }

    /** The answer to a later call of a connection: the server has read what was sent before. */
    private static void awaitAnswer(ManagedChannel channel) {
        try {
            var _ = HealthGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(Patience.LIMIT)
                    .check(HealthCheckRequest.getDefaultInstance());
        } catch (StatusRuntimeException e) {
            // Refused is answered, too.
        }
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
    }
}
