package dev.kvstore.client.internal.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.StatusException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class DeframerTest {
    private static final int MOST_BYTES = 100_000;
    private static final int RUN_BYTES = 256 * 1024;

    @Property(tries = 200)
    void messagesAreTheSameHoweverTheirBytesCome(
            @ForAll @Size(min = 1, max = 6) List<@IntRange(min = 0, max = 20_000) Integer> lengths,
            @ForAll @Size(min = 1, max = 20) List<@IntRange(min = 1, max = 9_000) Integer> cuts,
            @ForAll @Size(min = 1, max = 20) List<Boolean> reads)
            throws StatusException, IOException {
        Deframer deframer = deframer();
        List<ByteBuffer> sent = new ArrayList<>();
        ByteBuf all = Unpooled.buffer();
        for (int length : lengths) {
            byte[] message = new byte[length];
            new Random(length).nextBytes(message);
            sent.add(ByteBuffer.wrap(message));
            all.writeBytes(RawServer.framed(message));
        }
        List<ByteBuffer> came = new ArrayList<>();
        for (int i = 0; all.isReadable(); i++) {
            deframer.add(all.readRetainedSlice(Math.min(cuts.get(i % cuts.size()), all.readableBytes())));
            if (reads.get(i % reads.size())) {
                take(deframer, came);
            }
            deframer.settle();
        }
        take(deframer, came);
        assertThat(came).isEqualTo(sent);
        assertThat(deframer.isInside()).isFalse();
        assertThat(all.refCnt()).isEqualTo(1);
    }

    private static void take(Deframer deframer, List<ByteBuffer> came) throws StatusException, IOException {
        for (MessageBytes message = deframer.poll(); message != null; message = deframer.poll()) {
            came.add(ByteBuffer.wrap(message.readAllBytes()));
            message.close();
        }
    }

    @Test
    void whoKeepsASmallMessageKeepsNothingElse() throws StatusException {
        Deframer deframer = deframer();
        ByteBuf run = run(new byte[Deframer.COPIED_BYTES]);
        deframer.add(run.retainedSlice());

        try (MessageBytes message = deframer.poll()) {
            assertThat(message).isNotNull();
            assertThat(run.refCnt()).isEqualTo(1);
        }
    }

    @Test
    void aLargeMessageIsAViewOfWhereItCame() throws StatusException {
        Deframer deframer = deframer();
        ByteBuf run = run(new byte[Deframer.COPIED_BYTES + 1]);
        deframer.add(run.retainedSlice());

        try (MessageBytes message = deframer.poll()) {
            assertThat(message).isNotNull();
            assertThat(run.refCnt()).isEqualTo(2);
        }
        assertThat(run.refCnt()).isEqualTo(1);
    }

    @Test
    void littleThatWaitsKeepsNoMoreThanSixteenTimesItsBytes() throws Exception {
        Deframer deframer = deframer();
        List<ByteBuf> runs = new ArrayList<>();
        for (byte i = 0; i < 100; i++) {
            ByteBuf run = run(new byte[] {i});
            runs.add(run);
            deframer.add(run.retainedSlice());
            deframer.settle();
        }

        assertThat(runs).allSatisfy(run -> assertThat(run.refCnt()).isEqualTo(1));
        List<ByteBuffer> came = new ArrayList<>();
        take(deframer, came);
        assertThat(came).hasSize(100).last().isEqualTo(ByteBuffer.wrap(new byte[] {99}));
    }

    @Test
    void emptyMessagesThatWaitTakeTheRoomOfTheirPrefixes() throws Exception {
        UnpooledByteBufAllocator memory = new UnpooledByteBufAllocator(true);
        Deframer deframer = new Deframer(MOST_BYTES, memory);
        ByteBuf run = run(new byte[0]);
        int messages = 200_000;
        for (int i = 0; i < messages; i++) {
            deframer.add(run.retainedSlice());
            deframer.settle();
        }

        assertThat(memory.metric().usedDirectMemory()).isLessThan((long) messages * Deframer.PREFIX_BYTES + 100_000);
        List<ByteBuffer> came = new ArrayList<>();
        take(deframer, came);
        assertThat(came).hasSize(messages);
        assertThat(memory.metric().usedDirectMemory()).isZero();
    }

    /** A message in the memory that the socket reads into. */
    private static ByteBuf run(byte[] message) {
        return Unpooled.buffer(RUN_BYTES).writeBytes(RawServer.framed(message));
    }

    private static Deframer deframer() {
        return new Deframer(MOST_BYTES, UnpooledByteBufAllocator.DEFAULT);
    }

    @Test
    void whatIsNotTakenIsGivenBack() {
        Deframer deframer = deframer();
        ByteBuf bytes = RawServer.framed(new byte[100]).writeBytes(RawServer.framed(new byte[100]), 50);
        deframer.add(bytes.retainedSlice());
        deframer.clear();
        assertThat(bytes.refCnt()).isEqualTo(1);
    }

    @Test
    void aMessageIsReadAgainFromItsMark() throws Exception {
        MessageBytes message = message(new byte[] {1, 2, 3}, new byte[] {4, 5});
        assertThat(message.read()).isEqualTo(1);
        message.mark(10);
        assertThat(message.readAllBytes()).containsExactly(2, 3, 4, 5);
        message.reset();
        assertThat(message.skip(2)).isEqualTo(2);
        assertThat(message.available()).isEqualTo(2);
        ByteBuffer rest = message.getByteBuffer();
        assertThat(rest).isEqualTo(ByteBuffer.wrap(new byte[] {4, 5}));
    }

    @Test
    void aMessageThatIsDetachedOutlivesItsStream() throws Exception {
        MessageBytes message = message(new byte[] {1, 2}, new byte[] {3});
        InputStream detached = message.detach();
        message.close();
        assertThat(message.readAllBytes()).isEmpty();
        assertThat(detached.readAllBytes()).containsExactly(1, 2, 3);
        detached.close();
    }

    private static MessageBytes message(byte[] first, byte[] second) {
        return new MessageBytes(
                List.of(Unpooled.wrappedBuffer(first), Unpooled.wrappedBuffer(second)), first.length + second.length);
    }
}
