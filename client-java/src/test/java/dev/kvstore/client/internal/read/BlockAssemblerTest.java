package dev.kvstore.client.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.kvstore.client.BlockResult;
import dev.kvstore.client.CallOptions;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.SdkBlocks;
import dev.kvstore.client.internal.LiveCounters;
import dev.kvstore.client.internal.Time;
import dev.kvstore.protocol.answer.v1.AnswerPart;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.v1.ReadPart;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class BlockAssemblerTest {
    private static final int BLOCKS = 3;

    private final BlockChain chain = SdkBlocks.chain(BLOCKS);
    private final AtomicInteger held = new AtomicInteger();

    @Property(tries = 100)
    void howeverABlockIsSplitItsBytesComeOutAndItsMemoryGoesBack(
            @ForAll @IntRange(min = 1, max = 5000) int bytes, @ForAll @IntRange(min = 1, max = 6000) int partBytes) {
        List<BlockResult> results = assemble(parts(bytes, Math.max(partBytes, bytes / 50 + 1)));
        assertThat(results).hasSize(BLOCKS);
        for (int i = 0; i < BLOCKS; i++) {
            assertThat(SdkBlocks.bytes(((BlockResult.Found) results.get(i)).block()))
                    .isEqualTo(SdkBlocks.payload(i, bytes));
        }
        assertThat(held).hasValue(0);
    }

    @Property(tries = 100)
    void aFlippedBitIsDataLossOfItsBlockOnly(
            @ForAll @IntRange(max = 29) int victim, @ForAll @IntRange(max = 799) int bit) {
        List<ReadPart> parts = parts(1000, 100);
        byte[] bytes = parts.get(victim).getBytes().toByteArray();
        bytes[bit / 8] ^= (byte) (1 << bit % 8);
        parts.set(
                victim,
                parts.get(victim).toBuilder()
                        .setBytes(ByteString.copyFrom(bytes))
                        .build());
        lostOnly(victim / 10, assemble(parts));
    }

    @Property(tries = 30)
    void aMissingPartIsDataLossOfItsBlockOnly(@ForAll @IntRange(max = 29) int victim) {
        List<ReadPart> parts = parts(1000, 100);
        parts.remove(victim);
        lostOnly(victim / 10, assemble(parts));
    }

    @Property(tries = 30)
    void aWrongOffsetIsDataLossOfItsBlockOnly(
            @ForAll @IntRange(max = 29) int victim, @ForAll @IntRange(min = 1, max = 2000) int shift) {
        List<ReadPart> parts = parts(1000, 100);
        ReadPart part = parts.get(victim);
        parts.set(victim, part.toBuilder().setOffset(part.getOffset() + shift).build());
        lostOnly(victim / 10, assemble(parts));
    }

    @Property(tries = 30)
    void aPartOfAnotherBlockWithItsOwnRightChecksumIsStillDataLoss(@ForAll @IntRange(max = 9) int victim) {
        List<ReadPart> parts = parts(1000, 100);
        ReadPart other = parts.get(10 + victim);
        parts.set(
                victim,
                parts.get(victim).toBuilder()
                        .setBytes(other.getBytes())
                        .setCrc32C(other.getCrc32C())
                        .build());
        lostOnly(0, assemble(parts));
    }

    @Property(tries = 4)
    void aForgedNameIsDataLossOfItsBlockOnly(@ForAll @IntRange(max = 2) int victim) {
        List<ReadPart> parts = parts(1000, 100);
        ReadPart.Builder first = parts.get(victim * 10).toBuilder();
        first.getHeadBuilder().setTokens(0, 4711);
        parts.set(victim * 10, first.build());
        lostOnly(victim, assemble(parts));
    }

    @Property(tries = 4)
    void aBlockOfAnotherLengthThatAnEarlierServerSendsIsRefused(@ForAll @IntRange(max = 2) int other) {
        List<ReadPart> parts = new ArrayList<>();
        for (int i = 0; i < BLOCKS; i++) {
            parts.addAll(SdkBlocks.parts(i, SdkBlocks.chunk(chain, i, i == other ? 999 : 1000), 100));
        }

        List<BlockResult> results = assemble(parts, CallOptions.DEFAULT.withExpectedBytes(1000));

        assertThat(results).hasSize(BLOCKS);
        for (BlockResult result : results) {
            if (result instanceof BlockResult.Found found) {
                assertThat(found.index()).isNotEqualTo(other);
                assertThat(SdkBlocks.bytes(found.block())).hasSize(1000);
            } else {
                assertThat(result).isInstanceOfSatisfying(BlockResult.Failed.class, failed -> {
                    assertThat(failed.index()).isEqualTo(other);
                    assertThat(failed.reason().code()).isEqualTo(ErrorCode.FAILED_PRECONDITION);
                    assertThat(failed.reason()).hasMessageContainingAll("999 bytes", "1000 are expected");
                });
            }
        }
        assertThat(held).hasValue(0);
    }

    private void lostOnly(int lost, List<BlockResult> results) {
        assertThat(results).hasSize(BLOCKS);
        for (BlockResult result : results) {
            switch (result) {
                case BlockResult.Found found -> {
                    assertThat(found.index()).isNotEqualTo(lost);
                    assertThat(SdkBlocks.bytes(found.block())).isEqualTo(SdkBlocks.payload(found.index(), 1000));
                }
                case BlockResult.Failed failed -> {
                    assertThat(failed.index()).isEqualTo(lost);
                    assertThat(failed.reason().code()).isEqualTo(ErrorCode.DATA_LOSS);
                }
                case BlockResult.Missing missing -> throw new AssertionError("nobody said so: " + missing);
            }
        }
        assertThat(held).hasValue(0);
    }

    private List<ReadPart> parts(int bytes, int partBytes) {
        List<ReadPart> parts = new ArrayList<>();
        for (int i = 0; i < BLOCKS; i++) {
            parts.addAll(SdkBlocks.parts(i, SdkBlocks.chunk(chain, i, bytes), partBytes));
        }
        return parts;
    }

    private static AnswerPart arriving(ReadPart part) {
        try {
            return AnswerPart.parseFrom(part.toByteString());
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError("the same bytes under the same numbers", e);
        }
    }

    private List<BlockResult> assemble(List<ReadPart> parts) {
        return assemble(parts, CallOptions.DEFAULT);
    }

    private List<BlockResult> assemble(List<ReadPart> parts, CallOptions wishes) {
        LiveCounters counters = new LiveCounters();
        LeakDetector leaks = new LeakDetector(counters, Time.SYSTEM);
        BlockAssembler assembler = new BlockAssembler(
                IntStream.range(0, BLOCKS).mapToObj(chain::location).toList(), 0, wishes, leaks, counters);
        for (ReadPart part : parts) {
            held.incrementAndGet();
            ReceivedMessage arrival = new ReceivedMessage(held::decrementAndGet);
            assembler.accept(arriving(part), arrival);
            arrival.release();
        }
        assembler.end();
        List<BlockResult> results = new ArrayList<>();
        for (BlockResult result = assembler.poll(); result != null; result = assembler.poll()) {
            results.add(result);
        }
        return results;
    }
}
