package dev.kvstore.dataplane.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class WholeFramesTest {
    private static final ByteBufAllocator ALLOCATOR = PooledByteBufAllocator.DEFAULT;

    @Test
    void whatARestIsFollowedByStaysWhereItWasRead() {
        ByteBuf rest = read(16_000);
        ByteBuf next = read(65_536);

        ByteBuf whole = WholeFrames.CUMULATOR.cumulate(ALLOCATOR, rest, next);

        assertThat(whole.slice(16_000, 65_536).nioBuffer())
                .as("a view of what was read")
                .isEqualTo(next.nioBuffer());
        next.setByte(100, ~next.getByte(100));
        assertThat(whole.getByte(16_100)).isEqualTo(next.getByte(100));
        whole.release();
    }

    @Test
    void whoSendsByteByByteHasFewObjectsKept() {
        ByteBuf whole = WholeFrames.CUMULATOR.cumulate(ALLOCATOR, read(8_000), read(8_000));
        for (int i = 0; i < 10_000; i++) {
            whole = WholeFrames.CUMULATOR.cumulate(ALLOCATOR, whole, read(1));
        }

        assertThat(whole.readableBytes()).isEqualTo(26_000);
        assertThat(whole instanceof CompositeByteBuf pieces ? pieces.numComponents() : 1)
                .isLessThan(20);
        whole.release();
    }

    @Property
    void everyByteIsThereInItsOrder(
            @ForAll @Size(min = 2, max = 30) List<@IntRange(min = 1, max = 20_000) Integer> reads,
            @ForAll @IntRange(max = 10_000) int taken) {
        ByteBuf all = Unpooled.buffer();
        ByteBuf whole = Unpooled.EMPTY_BUFFER;
        for (int bytes : reads) {
            ByteBuf read = read(bytes);
            all.writeBytes(read.duplicate());
            whole = WholeFrames.CUMULATOR.cumulate(ALLOCATOR, whole, read);
            int frame = Math.min(taken, whole.readableBytes());
            assertThat(ByteBufUtil.equals(whole.readSlice(frame), all.readSlice(frame)))
                    .isTrue();
        }
        assertThat(ByteBufUtil.equals(whole, all)).isTrue();
        whole.release();
    }

    /** Bytes that differ from those around them. */
    private static ByteBuf read(int bytes) {
        ByteBuf read = ALLOCATOR.directBuffer(bytes, bytes);
        for (int i = 0; i < bytes; i++) {
            read.writeByte(i * 31 + bytes);
        }
        return read;
    }
}
