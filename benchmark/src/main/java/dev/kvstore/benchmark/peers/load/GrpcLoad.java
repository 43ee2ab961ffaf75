package dev.kvstore.benchmark.peers.load;

import com.google.protobuf.ByteString;
import com.google.protobuf.UInt32Value;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A stock gRPC client: unary calls of a protobuf message with the block in it, every setting as it comes but for the
 * largest message. As many connections as the SDK of KV Store has.
 */
final class GrpcLoad implements PeerLoad {
    private static final int CONNECTIONS = 2;
    private static final int MAX_MESSAGE_BYTES = 65 << 20;

    private final WorkingSet set;
    private final List<ManagedChannel> channels;
    private final AtomicInteger next = new AtomicInteger();

    GrpcLoad(LoadTarget target) {
        this.set = target.workingSet();
        this.channels = Stream.generate(() -> NettyChannelBuilder.forAddress("127.0.0.1", target.port())
                        .usePlaintext()
                        .maxInboundMessageSize(MAX_MESSAGE_BYTES)
                        .build())
                .limit(CONNECTIONS)
                .toList();
    }

    @Override
    public LoadClient caller(PeerOperation operation) {
        return bytes -> {
            int call = next.getAndIncrement();
            int block = Math.floorMod(call, set.blocks());
            int size = get(call, block).size();
            set.verifyLength(block, size);
            bytes.add(size);
        };
    }

    private ByteString get(int call, int block) {
        try {
            return ClientCalls.blockingUnaryCall(
                            channels.get(Math.floorMod(call, CONNECTIONS)),
                            UnaryBytes.GET,
                            CallOptions.DEFAULT,
                            UInt32Value.of(block))
                    .getValue();
        } catch (StatusRuntimeException e) {
            if (e.getStatus().getCode() == Status.Code.NOT_FOUND) {
                throw new BadBlockException("block " + block + " is missing");
            }
            throw e;
        }
    }

    @Override
    public void verify(PeerOperation operation) {
        for (int block = 0; block < set.blocks(); block++) {
            set.verify(block, get(block, block).asReadOnlyByteBufferList());
        }
    }

    @Override
    public void close() {
        channels.forEach(ManagedChannel::shutdownNow);
    }
}
