package dev.kvstore.client.internal.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.epoll.Epoll;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2SettingsFrame;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The other stack, by the same contract, with the frames and buffers that it has for blocks. */
class GrpcJavaChannelTest extends TransportContract {
    @Override
    ManagedChannel channel(int port) {
        return LongFrames.on(NettyChannelBuilder.forAddress("127.0.0.1", port), null)
                .directExecutor()
                .disableRetry()
                .flowControlWindow(WINDOW_BYTES)
                .maxInboundMessageSize(MOST_MESSAGE_BYTES)
                .build();
    }

    @Test
    void theServerMaySendTheLongestFrames() throws Exception {
        try (RawServer server = RawServer.echo(new Http2Settings())) {
            settle(server);

            assertThat(server.heard(Http2SettingsFrame.class))
                    .extracting(frame -> frame.settings().maxFrameSize())
                    .contains(Http2CodecUtil.MAX_FRAME_SIZE_UPPER_BOUND);
        }
    }

    /** A change of lent bytes, which no application may make, shows that the bytes were not copied. */
    @Test
    void aLongFieldIsSentFromWhereItIs() throws Exception {
        assumeTrue(Epoll.isAvailable(), "sockets of epoll are Linux's");
        ByteBuffer bytes = BufferPlacement.LENT.of(new byte[1_200_000]);
        CompletableFuture<Void> goOn = new CompletableFuture<>();
        AtomicInteger last = new AtomicInteger();
        try (RawServer server = new RawServer(new Http2Settings(), (with, frame) -> {
            if (frame instanceof Http2HeadersFrame) {
                goOn.join();
                with.widen(2 * bytes.capacity());
            } else if (frame instanceof Http2DataFrame data && data.isEndStream()) {
                last.set(data.content().getByte(data.content().writerIndex() - 1));
            }
        })) {
            LongCall call = longCall(server, CallOptions.DEFAULT, bytes, true);
            bytes.put(bytes.limit() - 1, (byte) 7);
            goOn.complete(null);

            await().until(() -> last.get() == 7);
            call.call().cancel("seen", null);
        }
    }
}
