package dev.kvstore.dataplane.wire;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.kvstore.protocol.v1.ReadPart;
import dev.kvstore.protocol.v1.StreamingReadResponse;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** How a message is made of memory that stays where it is. */
class LendingTest {
    private static final int LARGE = 100_000;

    private final AtomicInteger freed = new AtomicInteger();

    @Property(tries = 300)
    void aMessageIsTheOneThatTheGeneratedCodeWouldWrite(@ForAll("sizes") List<Integer> sizes)
            throws InvalidProtocolBufferException {
        Lending<StreamingReadResponse> lending = new Lending<>();
        StreamingReadResponse.Builder expected = StreamingReadResponse.newBuilder();
        for (int i = 0; i < sizes.size(); i++) {
            ReadPart part = ReadPart.newBuilder().setIndex(i).setOffset(7L * i).build();
            ByteBuffer bytes = bytes(sizes.get(i));
            expected.addParts(part.toBuilder().setBytes(ByteString.copyFrom(bytes.duplicate())));
            lending.add(
                    StreamingReadResponse.PARTS_FIELD_NUMBER,
                    part,
                    ReadPart.BYTES_FIELD_NUMBER,
                    bytes,
                    freed::incrementAndGet);
            lending.add(StreamingReadResponse.PARTS_FIELD_NUMBER, part);
            expected.addParts(part);
        }
        ZeroCopyMessage<StreamingReadResponse> message = lending.make();
        byte[] wire = ByteBufUtil.getBytes(message.bytes());
        message.release();

        assertThat(StreamingReadResponse.parseFrom(wire)).isEqualTo(expected.build());
        assertThat(freed.getAndSet(0)).isEqualTo(sizes.size());
    }

    @Provide
    Arbitrary<List<Integer>> sizes() {
        return Arbitraries.of(0, 1, 127, 128, 1000, 4095, 4096, 4097, 70_000)
                .list()
                .ofMaxSize(8);
    }

    /** As of a stream that is refused before it says anything. */
    @Test
    void aMessageThatIsNeverMadeHoldsNothing() {
        ByteBufAllocator none = (ByteBufAllocator) Proxy.newProxyInstance(
                ByteBufAllocator.class.getClassLoader(), new Class<?>[] {ByteBufAllocator.class}, (_, method, _) -> {
                    throw new AssertionError(method.getName());
                });
        Lending<StreamingReadResponse> refused = new Lending<>(none);

        assertThat(refused.isEmpty()).isTrue();
        refused.clear();
    }

    @Test
    void aLargeFieldIsNotCopied() {
        ByteBuffer memory = bytes(LARGE);
        ZeroCopyMessage<StreamingReadResponse> message = lent(memory);

        memory.put(LARGE - 1, (byte) 42);

        assertThat(message.bytes().getByte(message.length() - 1)).isEqualTo((byte) 42);
        message.release();
    }

    @Test
    void memoryIsHeldUntilEveryHolderHasGivenTheMessageBack() {
        ZeroCopyMessage<StreamingReadResponse> message = lent(bytes(LARGE));
        var transports = message.retained();

        message.release();
        assertThat(freed).hasValue(0);

        transports.release();
        assertThat(freed).hasValue(1);
    }

    @Test
    void aSmallFieldIsGivenBackAtOnce() {
        Lending<StreamingReadResponse> lending = new Lending<>();
        lending.add(
                StreamingReadResponse.PARTS_FIELD_NUMBER,
                ReadPart.getDefaultInstance(),
                ReadPart.BYTES_FIELD_NUMBER,
                bytes(100),
                freed::incrementAndGet);

        assertThat(freed).hasValue(1);
        lending.clear();
        assertThat(freed).hasValue(1);
    }

    @Test
    void memoryOfAMessageThatIsNotSentIsGivenBack() {
        Lending<StreamingReadResponse> lending = new Lending<>();
        add(lending, bytes(LARGE));
        assertThat(lending.isEmpty()).isFalse();

        lending.clear();

        assertThat(freed).hasValue(1);
    }

    private ZeroCopyMessage<StreamingReadResponse> lent(ByteBuffer memory) {
        Lending<StreamingReadResponse> lending = new Lending<>();
        add(lending, memory);
        return lending.make();
    }

    private void add(Lending<StreamingReadResponse> lending, ByteBuffer memory) {
        lending.add(
                StreamingReadResponse.PARTS_FIELD_NUMBER,
                ReadPart.getDefaultInstance(),
                ReadPart.BYTES_FIELD_NUMBER,
                memory,
                freed::incrementAndGet);
    }

    private static ByteBuffer bytes(int size) {
        byte[] content = new byte[size];
        new Random(size).nextBytes(content);
        return ByteBuffer.allocateDirect(size).put(content).flip();
    }
}
