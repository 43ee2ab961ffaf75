package dev.kvstore.dataplane.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class MemoryPoolTest {
    private final MemoryPool pool = new MemoryPool(1 << 20, Duration.ZERO);

    @Test
    void memoryBeginsOnAPage() throws MemoryExhaustedException {
        BlockMemory memory = pool.allocate(5);

        assertThat(MemorySegment.ofBuffer(memory.bytes()).address() % BlockMemory.PAGE_BYTES)
                .isZero();
        memory.release();
    }

    @Test
    void whatFillsTheLastPageIsZeroWhateverWasThere() throws MemoryExhaustedException {
        BlockMemory before = pool.allocate(BlockMemory.PAGE_BYTES);
        ByteBuffer bytes = before.bytes();
        while (bytes.hasRemaining()) {
            bytes.put((byte) 7);
        }
        before.release();

        BlockMemory memory = pool.allocate(100);

        assertThat(MemorySegment.ofBuffer(memory.pages()).asSlice(100).mismatch(MemorySegment.ofArray(new byte[3996])))
                .isEqualTo(-1);
        memory.release();
    }

    @Test
    void wholePagesAreCountedUntilTheLastReferenceIsGone() throws MemoryExhaustedException {
        BlockMemory memory = pool.allocate(5_000).retain();
        assertThat(pool.usedBytes()).isEqualTo(2 * BlockMemory.PAGE_BYTES);

        memory.release();
        assertThat(pool.usedBytes()).isEqualTo(2 * BlockMemory.PAGE_BYTES);
        memory.release();
        assertThat(pool.usedBytes()).isZero();
    }

    @Test
    void moreThanTheLimitIsRefused() {
        assertThatThrownBy(() -> pool.allocate((1 << 20) + 1)).isInstanceOf(MemoryExhaustedException.class);
        assertThat(pool.usedBytes()).isZero();
    }
}
