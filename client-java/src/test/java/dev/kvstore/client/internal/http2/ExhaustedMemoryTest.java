package dev.kvstore.client.internal.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.Http2Settings;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each allocation fails once, in turn: the call ends, nothing stays held, and the next call succeeds. */
@Tag("slow")
class ExhaustedMemoryTest {
    /** Short messages and long ones, so that answers are copied and lent. */
    private static final int[] SIZES = {100, 600_000};

    private final EventLoopGroup loops = new NioEventLoopGroup(1);
    private final MethodDescriptor<LongMessage, byte[]> method = LongMessage.asking(ByteMessages.METHOD);

    @AfterEach
    void stop() {
        loops.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Test
    void aCallThatFindsNoMemoryEndsAndTheNextOneSucceeds() throws Exception {
        try (RawServer server = RawServer.echo(new Http2Settings())) {
            for (int bytes : SIZES) {
                long needed = failing(server, bytes, Long.MAX_VALUE);
                for (long victim = 0; victim < needed; victim++) {
                    failing(server, bytes, victim);
                }
            }
        }
    }

    /** One call whose victim-th allocation fails, and one after it; how many allocations the first took. */
    private long failing(RawServer server, int bytes, long victim) throws Exception {
        TrappingAllocator memory = new TrappingAllocator();
        memory.fail(number -> number == victim);
        Dialer dialer = new Dialer(
                "127.0.0.1",
                server.port(),
                NioSocketChannel.class,
                null,
                Http2ChannelTest.SETTINGS,
                Thread::startVirtualThread);
        Http2Channel channel =
                new Http2Channel(dialer, Http2ChannelTest.SETTINGS, loops.next(), memory, Integer.MAX_VALUE);
        try {
            ClientCall<LongMessage, byte[]> call = channel.newCall(method, CallOptions.DEFAULT);
            HeardCall first = new HeardCall();
            try {
                begin(call, first, bytes);
            } catch (OutOfMemoryError e) {
                call.cancel("no memory", e);
            }
            first.end();
            long taken = memory.allocations();

            // Calls fail for a moment after a connection could not be made.
            await("a call succeeds after allocation " + victim + " failed").until(() -> succeeds(channel, bytes));
            return taken;
        } finally {
            channel.shutdownNow();
            assertThat(channel.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
            await("all memory is given back, allocation " + victim + " failing").until(() -> memory.held() == 0);
        }
    }

    private boolean succeeds(Http2Channel channel, int bytes) throws Exception {
        HeardCall heard = new HeardCall();
        ClientCall<LongMessage, byte[]> call = channel.newCall(method, CallOptions.DEFAULT);
        try {
            begin(call, heard, bytes);
        } catch (OutOfMemoryError e) {
            // The call before made fewer allocations this time, so that the failing one is of this call.
            call.cancel("no memory", e);
        }
        if (!heard.status().isOk()) {
            return false;
        }
        assertThat(heard.messages())
                .singleElement()
                .satisfies(message -> assertThat(message).hasSize("head".length() + bytes));
        return true;
    }

    private static void begin(ClientCall<LongMessage, byte[]> call, HeardCall heard, int bytes) {
        call.start(heard, new Metadata());
        call.request(2);
        call.sendMessage(new LongMessage(ByteString.copyFromUtf8("head"), ByteBuffer.allocateDirect(bytes), false));
        call.halfClose();
    }
}
