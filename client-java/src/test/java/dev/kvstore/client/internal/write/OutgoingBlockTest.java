package dev.kvstore.client.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.kvstore.client.ErrorCode;
import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.NewBlock;
import dev.kvstore.client.SdkBlocks;
import dev.kvstore.client.WriteResult;
import dev.kvstore.client.internal.http2.LongMessage;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.format.Crc32c;
import dev.kvstore.protocol.v1.StreamingWriteRequest;
import dev.kvstore.protocol.v1.WritePart;
import dev.kvstore.protocol.v1.WriteRequest;
import dev.kvstore.protocol.v1.WriteResponse;
import dev.kvstore.protocol.v1.WriteResponse.Outcome;
import dev.kvstore.protocol.wire.WireNames;
import java.nio.ByteBuffer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** A block's messages, and the meaning of the answer to them. */
class OutgoingBlockTest {
    private static final int BYTES = 1000;

    private final NewBlock block = SdkBlocks.newBlock(ObservedWriter.CHAIN, 1, BYTES);
    private final OutgoingBlock outgoing = OutgoingBlock.of(SdkBlocks.PARTITION, block);
    private final WriteResponse stored = ObservedWriter.stored(1, BYTES);

    @Property(tries = 200)
    void partsJoinedAreTheBlock(
            @ForAll @IntRange(min = 1, max = 3000) int bytes, @ForAll @IntRange(min = 1, max = 1000) int partBytes) {
        OutgoingBlock outgoingBlock =
                OutgoingBlock.of(SdkBlocks.PARTITION, SdkBlocks.newBlock(ObservedWriter.CHAIN, 2, bytes));
        ByteString joined = ByteString.EMPTY;
        for (int offset = 0; offset < bytes; offset += partBytes) {
            int here = Math.min(partBytes, bytes - offset);
            WritePart part = part(outgoingBlock.part(StreamingWriteRequest.getDefaultInstance(), 3, offset, here));
            assertThat(part.getIndex()).isEqualTo(3);
            assertThat(part.getOffset()).isEqualTo(offset);
            assertThat(part.hasHead()).as("at the beginning").isEqualTo(offset == 0);
            assertThat(part.getLast()).as("at the end").isEqualTo(offset + here == bytes);
            assertThat(part.getCrc32C()).isEqualTo(Crc32c.of(part.getBytes().asReadOnlyByteBuffer()));
            joined = joined.concat(part.getBytes());
        }
        assertThat(joined.toByteArray()).isEqualTo(SdkBlocks.payload(2, bytes));
    }

    @Test
    void theHeadNamesTheWholeBlock() {
        WritePart part = part(outgoing.part(StreamingWriteRequest.getDefaultInstance(), 0, 0, 10));

        assertThat(part.getHead().getBufferBytes()).isEqualTo(BYTES);
        assertThat(part.getHead().getCrc32C()).isEqualTo(Crc32c.of(block.buffer()));
        assertThat(part.getHead().getHash()).isEqualTo(WireNames.field(ObservedWriter.CHAIN.hash(1)));
        assertThat(part.getHead().getParentHash()).isEqualTo(WireNames.field(ObservedWriter.CHAIN.hash(0)));
        assertThat(part.getHead().getTokensList()).hasSize(SdkBlocks.PARTITION.blockTokens());
    }

    @Test
    void aFillerDiffersFromItsPartInTheBytesAlone() {
        WritePart part = part(outgoing.part(StreamingWriteRequest.getDefaultInstance(), 4, 0, 10));
        WritePart filler = part(outgoing.filler(StreamingWriteRequest.getDefaultInstance(), 4, 0, 10));

        assertThat(filler.getBytes().toByteArray()).isEqualTo(new byte[10]);
        assertThat(filler.getCrc32C()).isEqualTo(Crc32c.of(ByteBuffer.allocate(10)));
        assertThat(filler.toBuilder().clearBytes().clearCrc32C().build())
                .isEqualTo(part.toBuilder().clearBytes().clearCrc32C().build());
    }

    private static WritePart part(LongMessage message) {
        return ObservedWriter.parsed(message).getParts(0);
    }

    @Test
    void aWholeBlockIsOneRequestWhoseBufferIsLent() throws Exception {
        LongMessage message = outgoing.request("demo", SdkBlocks.PARTITION);
        WriteRequest request = WriteRequest.parseFrom(message.head().concat(ByteString.copyFrom(message.bytes())));

        assertThat(request.getResourceName()).isEqualTo("demo");
        assertThat(request.getPartition()).isEqualTo(SdkBlocks.PARTITION.name());
        assertThat(request.getChunk()).isEqualTo(SdkBlocks.chunk(ObservedWriter.CHAIN, 1, BYTES));
        assertThat(message.lent()).isTrue();
    }

    @Test
    void tokensOfAnotherNumberThanThePartitionsAreRefused() {
        assertThatThrownBy(() -> OutgoingBlock.of(Partition.of("other", 8), block))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("tokens: 4 of them, but blocks of partition other have 8");
    }

    @Test
    void aStoredBlockIsWhatWasSent() {
        WriteResult result = outgoing.result(stored);

        assertThat(result.outcome()).isEqualTo(WriteResult.Outcome.STORED);
        assertThat(result.differs()).isFalse();
        assertThat(result.storedBytes()).isEqualTo(BYTES);
    }

    @Test
    void aBlockThatWasStoredWithAnotherChecksumIsLost() {
        assertRefused(stored.toBuilder().setStoredCrc32C(stored.getStoredCrc32C() + 1), ErrorCode.DATA_LOSS);
    }

    @Test
    void aBlockThatWasStoredWithAnotherLengthIsLost() {
        assertRefused(stored.toBuilder().setStoredBytes(BYTES - 1), ErrorCode.DATA_LOSS);
    }

    @Test
    void aServerThatStoresABlockAndDoesNotSayWhatIsNotBelieved() {
        assertRefused(stored.toBuilder().clearStoredBytes().clearStoredCrc32C(), ErrorCode.DATA_LOSS);
    }

    @Test
    void aBlockThatWasStoredUnderAnotherNameIsAnErrorOfTheServer() {
        assertRefused(
                stored.toBuilder().setLocation(WireNames.field(ObservedWriter.CHAIN.location(0))), ErrorCode.INTERNAL);
    }

    @Test
    void anAnswerWithoutAnOutcomeIsAnErrorOfTheServer() {
        assertRefused(stored.toBuilder().clearOutcome(), ErrorCode.INTERNAL);
        assertRefused(stored.toBuilder().setOutcomeValue(77), ErrorCode.INTERNAL);
    }

    @Test
    void aBlockThatWasThereWithOtherBytesDiffers() {
        WriteResponse.Builder present = stored.toBuilder().setOutcome(Outcome.ALREADY_PRESENT);

        assertThat(outgoing.result(present.build()).differs()).isFalse();
        assertThat(outgoing.result(present.setStoredCrc32C(1).build()).differs())
                .isTrue();
    }

    private void assertRefused(WriteResponse.Builder response, ErrorCode code) {
        assertThatThrownBy(() -> outgoing.result(response.build()))
                .isInstanceOfSatisfying(
                        KvStoreException.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
