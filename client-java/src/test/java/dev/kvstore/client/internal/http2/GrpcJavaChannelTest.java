package dev.kvstore.client.internal.http2;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;

/** The other stack, by the same contract. */
class GrpcJavaChannelTest extends TransportContract {
    @Override
    ManagedChannel channel(int port) {
        return NettyChannelBuilder.forAddress("127.0.0.1", port)
                .usePlaintext()
                .directExecutor()
                .disableRetry()
                .flowControlWindow(WINDOW_BYTES)
                .maxInboundMessageSize(MOST_MESSAGE_BYTES)
                .maxInboundMetadataSize(HeaderBlocks.MOST_BYTES)
                .build();
    }
}
