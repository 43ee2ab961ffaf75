package dev.kvstore.benchmark.peers.server;

import com.google.protobuf.BytesValue;
import com.google.protobuf.UInt32Value;
import com.google.protobuf.UnsafeByteOperations;
import dev.kvstore.benchmark.peers.load.UnaryBytes;
import dev.kvstore.benchmark.peers.load.WorkingSet;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Blocks by a stock gRPC server: protobuf messages that lie ready on the heap, and every setting as it comes. */
final class GrpcServer {
    private final List<Optional<BytesValue>> blocks = new ArrayList<>();

    GrpcServer(WorkingSet set) {
        for (int block = 0; block < set.blocks(); block++) {
            ByteBuffer bytes = ByteBuffer.allocate(set.blockBytes());
            set.fill(block, bytes);
            blocks.add(
                    set.isStored(block)
                            ? Optional.of(BytesValue.of(UnsafeByteOperations.unsafeWrap(bytes)))
                            : Optional.empty());
        }
    }

    void serve(int port) throws IOException, InterruptedException {
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .addService(ServerServiceDefinition.builder(UnaryBytes.SERVICE)
                        .addMethod(UnaryBytes.GET, ServerCalls.asyncUnaryCall(this::get))
                        .build())
                .build()
                .start()
                .awaitTermination();
    }

    private void get(UInt32Value block, StreamObserver<BytesValue> answer) {
        Optional<BytesValue> value = blocks.get(block.getValue());
        if (value.isPresent()) {
            answer.onNext(value.get());
            answer.onCompleted();
        } else {
            answer.onError(Status.NOT_FOUND.asRuntimeException());
        }
    }
}
