package dev.kvstore.dataplane.memory;

import static dev.kvstore.testing.schedule.RacingThreads.race;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.testing.schedule.Schedules;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No schedule frees memory that somebody holds, frees it twice, or leaves it held by nobody. */
@Tag("slow")
final class MemoryPoolRacesTest {
    private static final int PAGE = BlockMemory.PAGE_BYTES;
    private static final Duration LONG = Duration.ofDays(1);

    @Test
    void memoryBelongsToOneHolderAtATime() {
        Schedules.explore(() -> {
            MemoryPool pool = new MemoryPool(2L * PAGE, LONG);

            race(() -> write(pool, PAGE, 1), () -> write(pool, PAGE, 2), () -> write(pool, 2 * PAGE, 3));

            assertThat(pool.usedBytes()).isZero();
            assertThat(pool.refusals()).isZero();
        });
    }

    @Test
    void theLastReferenceFreesOnce() {
        Schedules.explore(() -> {
            MemoryPool pool = new MemoryPool(2L * PAGE, LONG);
            BlockMemory memory = pool.allocate(PAGE);
            memory.bytes().putLong(0, 7);

            race(memory::release, () -> readIfThere(memory), () -> readIfThere(memory));

            assertThat(pool.usedBytes()).isZero();
            assertThat(memory.tryRetain()).isFalse();
            pool.allocate(2 * PAGE).release();
        });
    }

    private static void write(MemoryPool pool, int length, long content) throws MemoryExhaustedException {
        BlockMemory memory = pool.allocate(length);
        ByteBuffer bytes = memory.bytes();
        bytes.putLong(0, content).putLong(length - Long.BYTES, content);
        assertThat(pool.usedBytes()).isBetween((long) length, 2L * PAGE);
        assertThat(bytes.getLong(0)).isEqualTo(content);
        assertThat(bytes.getLong(length - Long.BYTES)).isEqualTo(content);
        memory.release();
    }

    private static void readIfThere(BlockMemory memory) {
        if (memory.tryRetain()) {
            assertThat(memory.bytes().getLong(0)).isEqualTo(7);
            memory.release();
        }
    }
}
