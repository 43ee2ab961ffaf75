package dev.kvstore.benchmark.peers.server;

import com.google.protobuf.BytesValue;
import com.google.protobuf.UInt32Value;
import com.google.protobuf.UnsafeByteOperations;
import dev.kvstore.benchmark.peers.load.Damage;
import dev.kvstore.benchmark.peers.load.UnaryBytes;
import dev.kvstore.benchmark.peers.load.WorkingSet;
import io.grpc.Server;
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
public final class GrpcServer {
    private final List<Optional<BytesValue>> blocks = new ArrayList<>();

    private GrpcServer(WorkingSet set) {
        for (int block = 0; block < set.blocks(); block++) {
            ByteBuffer bytes = ByteBuffer.allocate(set.blockBytes());
            set.fill(block, bytes);
            blocks.add(
                    set.isStored(block)
                            ? Optional.of(BytesValue.of(UnsafeByteOperations.unsafeWrap(bytes)))
                            : Optional.empty());
        }
    }

    /** Arguments: port, bytes per block, damage. Serves until its standard input ends. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        ParentWatch.begin();
        int port = Integer.parseInt(arguments[0]);
        WorkingSet set = WorkingSet.of(Integer.parseInt(arguments[1]), Damage.valueOf(arguments[2]));
        GrpcServer blocks = new GrpcServer(set);
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .addService(ServerServiceDefinition.builder(UnaryBytes.SERVICE)
                        .addMethod(UnaryBytes.GET, ServerCalls.asyncUnaryCall(blocks::get))
                        .build())
                .build()
                .start();
        server.awaitTermination();
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
