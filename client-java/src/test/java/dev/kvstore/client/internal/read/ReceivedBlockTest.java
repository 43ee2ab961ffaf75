package dev.kvstore.client.internal.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.kvstore.client.Block;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.CallOptions;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.NewBlock;
import dev.kvstore.client.SdkBlocks;
import dev.kvstore.client.internal.LiveCounters;
import dev.kvstore.client.internal.Time;
import dev.kvstore.protocol.answer.v1.AnswerHead;
import dev.kvstore.protocol.answer.v1.AnswerPart;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One block that arrives: the claims of its head and parts, and what its holder may do with it. */
class ReceivedBlockTest {
    private static final int BYTES = AnsweredRead.BYTES;

    private final LiveCounters counters = new LiveCounters();
    private final AtomicInteger held = new AtomicInteger();
    private final BlockAssembler assembler = new BlockAssembler(
            List.of(AnsweredRead.CHAIN.location(0)),
            0,
            CallOptions.DEFAULT,
            new LeakDetector(counters, Time.SYSTEM),
            counters);

    private void arrive(AnswerPart part) {
        held.incrementAndGet();
        ReceivedMessage message = new ReceivedMessage(held::decrementAndGet);
        assembler.accept(part, message);
        message.release();
    }

    private static List<AnswerPart.Builder> parts(int partBytes) {
        return AnsweredRead.parts(0, 0, partBytes).stream()
                .map(part -> {
                    try {
                        return AnswerPart.parseFrom(part.toByteString()).toBuilder();
                    } catch (com.google.protobuf.InvalidProtocolBufferException e) {
                        throw new AssertionError("the same bytes under the same numbers", e);
                    }
                })
                .toList();
    }

    private Block block() {
        for (AnswerPart.Builder part : parts(40)) {
            arrive(part.build());
        }
        return ((BlockResult.Found) Objects.requireNonNull(assembler.poll())).block();
    }

    static Stream<Arguments> flaws() {
        return Stream.of(
                flaw("its hash is not 32 bytes long", head -> head.setHash(ByteString.copyFromUtf8("short"))),
                flaw("its parent_hash is not 32 bytes", head -> head.setParentHash(ByteString.EMPTY)),
                flaw("its head has no crc32c", AnswerHead.Builder::clearCrc32C),
                flaw("buffer_bytes is out of range", head -> head.setBufferBytes(0)),
                flaw("buffer_bytes is out of range", head -> head.setBufferBytes(-1)),
                flaw("buffer_bytes is out of range", head -> head.setBufferBytes(NewBlock.MAX_BUFFER_BYTES + 1L)),
                flaw("another block came", head -> head.setHash(ByteString.copyFrom(new byte[32]))),
                flaw(
                        "its tokens are not of 4 bytes each",
                        head -> head.setTokens(head.getTokens().concat(ByteString.copyFrom(new byte[1])))),
                flaw(
                        "its tokens and parent do not have its hash",
                        head -> head.setTokens(head.getTokens().concat(ByteString.copyFrom(new byte[4])))),
                flaw("its tokens and parent do not", head -> head.setParentHash(ByteString.copyFrom(new byte[32]))),
                flaw("its tokens and parent do not", head -> head.setExtra(ByteString.copyFromUtf8("more"))),
                flaw("it ended after 100 bytes", head -> head.setBufferBytes(BYTES + 1)),
                flaw("its parts have more than its 99 bytes", head -> head.setBufferBytes(BYTES - 1)),
                flaw("the checksum of the whole is wrong", head -> head.setCrc32C(head.getCrc32C() + 1)));
    }

    private static Arguments flaw(String text, Consumer<AnswerHead.Builder> change) {
        return Arguments.argumentSet(text, text, change);
    }

    @ParameterizedTest
    @MethodSource("flaws")
    void aHeadThatIsNotTheBlocksIsDataLoss(String text, Consumer<AnswerHead.Builder> change) {
        AnswerPart.Builder part = parts(BYTES).get(0);
        change.accept(part.getHeadBuilder());

        arrive(part.build());

        assertLost(text);
    }

    @Test
    void aFirstPartWithoutAHeadIsDataLoss() {
        arrive(parts(BYTES).get(0).clearHead().build());

        assertLost("its first part is missing");
    }

    @Test
    void aPartThatComesTwiceIsDataLossAndTheRestIsPassedOver() {
        List<AnswerPart.Builder> parts = parts(40);
        arrive(parts.get(0).build());
        arrive(parts.get(0).build());
        arrive(parts.get(1).build());
        arrive(parts.get(2).build());

        assertLost("a part is at 0 instead of 40");
    }

    @Test
    void aStatusInTheMiddleOfABlockEndsIt() {
        arrive(parts(40).get(0).build());
        arrive(AnswerPart.newBuilder()
                .setStatus(SdkBlocks.status(io.grpc.Status.Code.UNAVAILABLE))
                .build());

        assertThat(assembler.poll())
                .isInstanceOfSatisfying(
                        BlockResult.Failed.class,
                        failed -> assertThat(failed.reason().code()).isEqualTo(ErrorCode.UNAVAILABLE));
        assertThat(held).hasValue(0);
        assertThat(counters.snapshot().damagedBlocks()).isZero();
    }

    private void assertLost(String text) {
        assertThat(assembler.poll())
                .isInstanceOfSatisfying(
                        BlockResult.Failed.class,
                        failed -> assertThat(failed.reason())
                                .hasMessageStartingWith("DATA_LOSS")
                                .hasMessageContaining(text));
        assertThat(assembler.poll()).isNull();
        assertThat(held).hasValue(0);
        assertThat(counters.snapshot().damagedBlocks()).isEqualTo(1);
    }

    @Test
    void itsBuffersAreViewsThatReadersMayMoveButNotWrite() {
        try (Block block = block()) {
            assertThat(block.buffers()).hasSize(3);
            block.buffers().forEach(view -> view.position(view.limit()));
            int bytes = block.buffers().stream().mapToInt(ByteBuffer::remaining).sum();
            assertThat(bytes).isEqualTo(BYTES);
            assertThatThrownBy(() -> block.buffers().get(0).put((byte) 1)).isInstanceOf(ReadOnlyBufferException.class);
        }
    }

    @Test
    void itsBytesMayBeCopiedMoreThanOnce() {
        try (Block block = block()) {
            for (int i = 0; i < 2; i++) {
                ByteBuffer target = ByteBuffer.allocate(BYTES);
                block.copyTo(target);
                assertThat(target.array()).isEqualTo(SdkBlocks.payload(0, BYTES));
            }
        }
    }

    @Test
    void onceItIsClosedItsBytesAreGoneAndItsNameStays() {
        Block block = block();
        assertThat(held).hasValue(3);

        block.close();
        block.close();

        assertThat(held).hasValue(0);
        assertThatThrownBy(block::buffers).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> block.copyTo(ByteBuffer.allocate(BYTES))).isInstanceOf(IllegalStateException.class);
        assertThat(block.hash()).isEqualTo(AnsweredRead.CHAIN.hash(0));
        assertThat(block.tokens().size()).isEqualTo(SdkBlocks.PARTITION.blockTokens());
    }

    @Test
    void anAssemblerThatIsClosedGivesBackWhatNobodyTook() {
        for (AnswerPart.Builder part : parts(40)) {
            arrive(part.build());
        }
        assertThat(held).hasValue(3);

        assembler.close();

        assertThat(held).hasValue(0);
        assertThat(counters.snapshot().leakedBlocks()).isZero();
    }

    @Test
    void memoryThatWasGivenBackIsNotHeldAgain() {
        ReceivedMessage message = new ReceivedMessage(held::incrementAndGet);
        message.retain();
        message.release();
        assertThat(held).hasValue(0);
        message.release();
        assertThat(held).hasValue(1);

        assertThatThrownBy(message::retain).isInstanceOf(IllegalStateException.class);
    }
}
