package dev.kvstore.dataplane.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.kvstore.protocol.v1.KVStoreServiceGrpc;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.v1.StreamingReadRequest;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelOption;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Lent messages in grpc-java, with a server and a client of its own. */
class LentMarshallerTest {
    private static final MethodDescriptor<StreamingReadRequest, ZeroCopyMessage<StreamingReadResponse>> METHOD =
            LentMarshaller.answering(KVStoreServiceGrpc.getStreamingReadMethod());
    private static final int MESSAGES = 5;

    private final LentMarshaller<StreamingReadResponse> marshaller =
            (LentMarshaller<StreamingReadResponse>) METHOD.getResponseMarshaller();
    private final long lentBefore = marshaller.lent();
    private final long copiedBefore = marshaller.copied();
    private final AtomicInteger held = new AtomicInteger();
    private final List<Runnable> closing = new ArrayList<>();

    @AfterEach
    void close() {
        closing.forEach(Runnable::run);
    }

    @Test
    void aClientOfAnyKindReadsWhatWasLent() throws Exception {
        assertThat(read(1_200_000, LendingAllocator.SHARED)).isEqualTo(sent(1_200_000));

        assertThat(marshaller.lent() - lentBefore).isEqualTo(MESSAGES);
        assertThat(marshaller.copied()).isEqualTo(copiedBefore);
        await().until(() -> held.get() == 0);
    }

    @Test
    void shortMessagesTooAreSentAsTheyAre() throws Exception {
        assertThat(read(10, LendingAllocator.SHARED)).isEqualTo(sent(10));

        assertThat(marshaller.copied()).isEqualTo(copiedBefore);
    }

    @Test
    void whereTheTransportAllocatesInAnotherWayMessagesAreCopied() throws Exception {
        assertThat(read(1_200_000, UnpooledByteBufAllocator.DEFAULT)).isEqualTo(sent(1_200_000));

        assertThat(marshaller.copied() - copiedBefore).isEqualTo(MESSAGES);
        await().until(() -> held.get() == 0);
    }

    @Test
    void whatAClientLeavesLyingIsGivenBackWhenItLeaves() throws Exception {
        ManagedChannel channel = channel(serve(1_200_000, LendingAllocator.SHARED));
        ClientCall<StreamingReadRequest, StreamingReadResponse> call =
                channel.newCall(KVStoreServiceGrpc.getStreamingReadMethod(), CallOptions.DEFAULT);
        call.start(new ClientCall.Listener<>() {}, new Metadata());
        call.sendMessage(StreamingReadRequest.getDefaultInstance());
        call.halfClose();
        await().until(() -> held.get() > 0);

        call.cancel("leaving", null);

        await().until(() -> held.get() == 0);
    }

    private List<StreamingReadResponse> read(int bytes, ByteBufAllocator allocator) throws IOException {
        List<StreamingReadResponse> messages = new ArrayList<>();
        ClientCalls.blockingServerStreamingCall(
                        channel(serve(bytes, allocator)),
                        KVStoreServiceGrpc.getStreamingReadMethod().toBuilder()
                                .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
                                .build(),
                        CallOptions.DEFAULT,
                        StreamingReadRequest.getDefaultInstance())
                .forEachRemaining(messages::add);
        return messages;
    }

    private ManagedChannel channel(int port) {
        ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", port)
                .usePlaintext()
                .flowControlWindow(64 * 1024)
                .build();
        closing.addFirst(channel::shutdownNow);
        return channel;
    }

    /** Answers each call with so many messages, each with a field of so many bytes. */
    private int serve(int bytes, ByteBufAllocator allocator) throws IOException {
        ServerCallHandler<StreamingReadRequest, ZeroCopyMessage<StreamingReadResponse>> handler = (call, _) -> {
            call.request(1);
            return new ServerCall.Listener<>() {
                @Override
                public void onHalfClose() {
                    call.sendHeaders(new Metadata());
                    for (StreamingReadResponse message : sent(bytes)) {
                        ZeroCopyMessage<StreamingReadResponse> lent = lent(message);
                        call.sendMessage(lent);
                        lent.release();
                    }
                    call.close(Status.OK, new Metadata());
                }
            };
        };
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .withChildOption(ChannelOption.ALLOCATOR, allocator)
                .addService(ServerServiceDefinition.builder(KVStoreServiceGrpc.SERVICE_NAME)
                        .addMethod(METHOD, handler)
                        .build())
                .build()
                .start();
        closing.add(server::shutdownNow);
        return server.getPort();
    }

    private ZeroCopyMessage<StreamingReadResponse> lent(StreamingReadResponse message) {
        Lending<StreamingReadResponse> lending = new Lending<>();
        for (ReadPart part : message.getPartsList()) {
            held.incrementAndGet();
            ByteBuffer memory = ByteBuffer.allocateDirect(part.getBytes().size());
            part.getBytes().copyTo(memory);
            lending.add(
                    StreamingReadResponse.PARTS_FIELD_NUMBER,
                    part.toBuilder().clearBytes().build(),
                    ReadPart.BYTES_FIELD_NUMBER,
                    memory.flip(),
                    held::decrementAndGet);
        }
        return lending.make();
    }

    private static List<StreamingReadResponse> sent(int bytes) {
        List<StreamingReadResponse> messages = new ArrayList<>();
        for (int i = 0; i < MESSAGES; i++) {
            byte[] content = new byte[bytes];
            new Random(i).nextBytes(content);
            messages.add(StreamingReadResponse.newBuilder()
                    .addParts(ReadPart.newBuilder().setIndex(i).setBytes(ByteString.copyFrom(content)))
                    .build());
        }
        return messages;
    }
}
