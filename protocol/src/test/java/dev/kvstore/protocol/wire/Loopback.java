package dev.kvstore.protocol.wire;

import dev.kvstore.protocol.v1.KVStoreServiceGrpc;
import dev.kvstore.protocol.v1.WriteRequest;
import dev.kvstore.protocol.v1.WriteResponse;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A gRPC server on loopback that takes Write messages in place, its client, and the server's network memory. */
final class Loopback {
    private static final long PATIENCE_SECONDS = 30;

    final ReceivedMarshaller<WriteRequest> marshaller = new ReceivedMarshaller<>(WriteRequest.getDefaultInstance());

    private final UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(true);
    private final BlockingQueue<Received<WriteRequest>> arrived = new LinkedBlockingQueue<>(16);
    private final NioEventLoopGroup loop = new NioEventLoopGroup(1);
    private final Server server;
    private final ManagedChannel channel;

    Loopback() throws IOException {
        MethodDescriptor<WriteRequest, WriteResponse> write = KVStoreServiceGrpc.getWriteMethod();
        server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .channelType(NioServerSocketChannel.class)
                .bossEventLoopGroup(loop)
                .workerEventLoopGroup(loop)
                .withChildOption(ChannelOption.ALLOCATOR, memory)
                .maxInboundMessageSize(KvStoreMethods.MAX_MESSAGE_BYTES)
                .addService(ServerServiceDefinition.builder(KVStoreServiceGrpc.SERVICE_NAME)
                        .addMethod(
                                write.toBuilder(marshaller, write.getResponseMarshaller())
                                        .build(),
                                ServerCalls.asyncUnaryCall(this::keep))
                        .build())
                .build()
                .start();
        channel = NettyChannelBuilder.forAddress("localhost", server.getPort())
                .usePlaintext()
                .build();
    }

    /** Sends bytes as if they were a WriteRequest, and hands out what arrived: the caller closes it. */
    Received<WriteRequest> send(byte[] bytes) throws InterruptedException {
        MethodDescriptor<WriteRequest, WriteResponse> write = KVStoreServiceGrpc.getWriteMethod();
        ClientCalls.blockingUnaryCall(
                channel,
                write.toBuilder(new Raw(), write.getResponseMarshaller()).build(),
                CallOptions.DEFAULT.withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS),
                bytes);
        return Objects.requireNonNull(arrived.poll(PATIENCE_SECONDS, TimeUnit.SECONDS), "nothing arrived");
    }

    /** Bytes of network memory the server holds. */
    long heldBytes() {
        return memory.metric().usedDirectMemory() + memory.metric().usedHeapMemory();
    }

    private void keep(Received<WriteRequest> request, StreamObserver<WriteResponse> answers) {
        arrived.add(request);
        answers.onNext(WriteResponse.getDefaultInstance());
        answers.onCompleted();
    }

    /**
     * Ends both sides and the server's thread, which gives its last frames back; what is held afterwards is held by
     * messages nobody closed.
     */
    void end() throws InterruptedException {
        channel.shutdownNow();
        server.shutdownNow();
        if (!channel.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)
                || !server.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)
                || !loop.shutdownGracefully(0, PATIENCE_SECONDS, TimeUnit.SECONDS)
                        .await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the loopback did not end");
        }
    }

    private static final class Raw implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] bytes) {
            return new ByteArrayInputStream(bytes);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
