package dev.kvstore.listener;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class FairInputTest {
    private static final int FIRST_CALLS = FairInput.FIRST_PART / FrameCosts.CALL;
    private static final int CALLS = FairInput.PART / FrameCosts.CALL;
    private static final int CALL_BYTES =
            ClientFrames.frame(ClientFrames.HEADERS, 30).readableBytes();

    private final CountedFrames decoder = new CountedFrames();
    private final EmbeddedChannel channel = new EmbeddedChannel();

    FairInputTest() {
        channel.freezeTime();
        channel.pipeline().addLast(decoder);
        FairInput.on(
                channel.pipeline().context(decoder),
                decoder,
                ByteToMessageDecoder.MERGE_CUMULATOR,
                new FairTurns(),
                () -> "an address");
    }

    /** Takes the preface and then frames of one length, and counts them, as a decoder of HTTP/2 does. */
    private static final class CountedFrames extends ByteToMessageDecoder {
        private final List<Integer> calls = new ArrayList<>();
        private final List<Integer> parts = new ArrayList<>();
        private int frames;
        private boolean begun;

        @Override
        protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
            int bytes = begun ? CALL_BYTES : FrameCosts.PREFACE_BYTES;
            if (in.readableBytes() >= bytes) {
                calls.add(begun ? in.getInt(in.readerIndex() + ClientFrames.STREAM_AT) : 0);
                in.skipBytes(bytes);
                frames += begun ? 1 : 0;
                begun = true;
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) throws Exception {
            parts.add(frames);
            super.channelReadComplete(context);
        }
    }

    private void arrives(ByteBuf read) {
        channel.pipeline().fireChannelRead(read);
        channel.pipeline().fireChannelReadComplete();
    }

    /** All turns that follow from each other. */
    private void turns() {
        channel.runScheduledPendingTasks();
    }

    @Test
    void fewCallsAreDecodedAtOnce() {
        arrives(ClientFrames.calls(FIRST_CALLS - 1));

        assertThat(decoder.frames).isEqualTo(FIRST_CALLS - 1);
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    @Test
    void ofManyCallsOnePartIsDecodedInATurn() {
        arrives(ClientFrames.calls(FIRST_CALLS + 2 * CALLS));
        turns();

        assertThat(decoder.parts).startsWith(FIRST_CALLS, FIRST_CALLS + CALLS, FIRST_CALLS + 2 * CALLS);
    }

    @Test
    void nothingMoreIsReadWhileCallsWait() {
        arrives(ClientFrames.calls(FIRST_CALLS + 1));
        assertThat(channel.config().isAutoRead()).isFalse();

        turns();
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    @Test
    void bytesThatComeMeanwhileFollowThoseThatWait() {
        ByteBuf all = ClientFrames.calls(FIRST_CALLS + 3 * CALLS);
        arrives(all.readRetainedSlice(all.readableBytes() - CALL_BYTES - 20));
        arrives(all.readRetainedSlice(30));
        arrives(all);
        assertThat(decoder.frames).isEqualTo(FIRST_CALLS);

        turns();
        assertThat(decoder.frames).isEqualTo(FIRST_CALLS + 3 * CALLS);
        assertThat(decoder.calls).isSorted();
    }

    @Test
    void aConnectionThatClosesLetsGoOfWhatWaits() {
        ByteBuf read = ClientFrames.calls(FIRST_CALLS + 3 * CALLS);
        arrives(read);
        assertThat(read.refCnt()).isPositive();

        channel.unsafe().closeForcibly();
        turns();
        assertThat(read.refCnt()).isZero();
    }

    @Property(tries = 200)
    void allCallsAreDecodedHoweverTheyArrive(
            @ForAll @IntRange(min = 1, max = 300) int calls, @ForAll @IntRange(min = 1, max = 3_000) int readBytes) {
        FairInputTest test = new FairInputTest();
        ByteBuf all = ClientFrames.calls(calls);
        while (all.isReadable() || !test.channel.config().isAutoRead()) {
            if (test.channel.config().isAutoRead()) {
                test.arrives(Unpooled.copiedBuffer(all.readSlice(Math.min(readBytes, all.readableBytes()))));
            } else {
                test.turns();
            }
        }

        assertThat(test.decoder.frames).isEqualTo(calls);
        assertThat(test.decoder.calls).isSorted();
        int before = 0;
        for (int after : test.decoder.parts) {
            // One more, whose frame the part before had begun.
            assertThat(after - before).as("calls of one part").isLessThanOrEqualTo(CALLS + 1);
            before = after;
        }
    }
}
