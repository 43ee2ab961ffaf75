package dev.kvstore.dataplane.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntConsumer;
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

    @Test
    void lengthsThatAreNoneAreRefused() {
        assertThatThrownBy(() -> pool.allocate(Integer.MAX_VALUE)).isInstanceOf(ArithmeticException.class);
        assertThatThrownBy(() -> pool.allocate(0)).isInstanceOf(IllegalArgumentException.class);
        assertThat(pool.usedBytes()).isZero();
    }

    /** The tests' JVM may have 3 GiB off its heap, where this pool would hand out 16. */
    @Test
    void memoryThatTheSystemDoesNotHaveIsRefusedAsIfItWereBeyondTheLimit() throws MemoryExhaustedException {
        MemoryPool large = new MemoryPool(16L << 30, Duration.ZERO);
        List<BlockMemory> had = new ArrayList<>();
        try {
            assertThatThrownBy(() -> {
                        while (true) {
                            had.add(large.allocate(1 << 30));
                        }
                    })
                    .isInstanceOf(MemoryExhaustedException.class);

            assertThat(large.usedBytes()).isEqualTo((long) had.size() << 30);
            assertThat(large.refusals()).isOne();
            assertThat(large.tryAllocate(1 << 30)).isNull();
            assertThat(large.usedBytes()).isEqualTo((long) had.size() << 30);
        } finally {
            had.forEach(BlockMemory::release);
        }
    }

    @Test
    void nobodyElseWritesToMemoryThatIsHeld() {
        MemoryPool shared = new MemoryPool(64 << 20, Duration.ofSeconds(20));
        List<CompletableFuture<Void>> workers = new ArrayList<>();
        for (int worker = 0; worker < 8; worker++) {
            long stamp = worker;
            workers.add(CompletableFuture.runAsync(() -> stamp(shared, stamp), Thread::startVirtualThread));
        }
        CompletableFuture.allOf(workers.toArray(CompletableFuture[]::new)).join();

        assertThat(shared.usedBytes()).isZero();
    }

    /** Holds four at a time, the ends of each stamped. */
    private static void stamp(MemoryPool shared, long stamp) {
        Random random = new Random(stamp);
        Deque<BlockMemory> held = new ArrayDeque<>();
        try {
            for (int i = 0; i < 2_000; i++) {
                BlockMemory memory = shared.allocate(2 * Long.BYTES + random.nextInt(200_000));
                ends(memory, end -> memory.bytes().putLong(end, stamp));
                held.addLast(memory);
                if (held.size() > 4) {
                    BlockMemory oldest = held.removeFirst();
                    ends(oldest, end -> assertThat(oldest.bytes().getLong(end)).isEqualTo(stamp));
                    oldest.release();
                }
            }
        } catch (MemoryExhaustedException e) {
            throw new IllegalStateException(e);
        } finally {
            held.forEach(BlockMemory::release);
        }
    }

    private static void ends(BlockMemory memory, IntConsumer each) {
        each.accept(0);
        each.accept(memory.length() - Long.BYTES);
    }
}
