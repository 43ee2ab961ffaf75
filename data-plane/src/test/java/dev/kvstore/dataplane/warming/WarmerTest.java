package dev.kvstore.dataplane.warming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.BlockNames;
import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import dev.kvstore.protocol.control.v1.Copying.Preheat;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Blocks that are copied from one region to another, and brought into memory there. */
@Tag("slow")
class WarmerTest extends WarmerSetup {
    @Test
    void everyBlockIsCopiedAndToldOf() throws Exception {
        give(5, Preheat.STORAGE);

        awaitOutcomes("11111");
        assertThat(giver.copied.getLast()).satisfies(report -> {
            assertThat(report.getLease()).isEqualTo("a-lease");
            assertThat(report.getWarming()).isEqualTo("w");
            assertThat(report.getChunk()).isEqualTo(5);
            assertThat(report.getClaim()).isEqualTo(3);
        });
        assertThat(IntStream.rangeClosed(1, 5).allMatch(i -> to.exists(name(i))))
                .isTrue();
        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void thePartitionKeepsItsName() throws Exception {
        give(1, Preheat.STORAGE);

        awaitOutcomes("1");
        assertThat(to.exists(BlockNames.descriptor(ROOT))).isTrue();
    }

    @Test
    void whatIsThereIsNotRead() throws Exception {
        store(to, 2);
        AtomicInteger gets = new AtomicInteger();
        beforeFrom = method -> {
            if (method.equals("get")) {
                gets.incrementAndGet();
            }
        };
        give(3, Preheat.STORAGE);

        awaitOutcomes("121");
        assertThat(gets).hasValue(2);
    }

    @Test
    void preheatedBlocksLieInMemory() throws Exception {
        store(to, 1);
        give(3, Preheat.MEMORY);

        awaitOutcomes("211");
        assertThat(IntStream.rangeClosed(1, 3).allMatch(i -> memory.contains(new BlockKey(TO, ROOT, hash(i)))))
                .isTrue();
    }

    @Test
    void aBlockThatProvesDamagedWhenItIsPreheatedIsCopied() throws Exception {
        store(to, 2);
        to.putZeros(name(1), STORED_BYTES);

        give(2, Preheat.MEMORY);

        awaitOutcomes("12");
        assertThat(memory.usedBytes()).isEqualTo(2L * BlockMemory.padded(STORED_BYTES));
    }

    @Test
    void preheatingLeavesWhatIsInMemoryThere() throws Exception {
        warmer = warmer(1); // one block at a time, and so in their order
        int room = (int) (memory.budgetBytes() / BlockMemory.padded(STORED_BYTES));
        give(room + 3, Preheat.MEMORY);

        awaitOutcomes("1".repeat(room + 3));
        assertThat(memory.evictions()).isZero();
        assertThat(IntStream.rangeClosed(1, room + 3)
                        .filter(i -> memory.contains(new BlockKey(TO, ROOT, hash(i))))
                        .boxed())
                .as("blocks in memory: the first, as many as there is room for")
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, room).boxed().toList());
    }

    @Test
    void noMoreBlocksAreUnderWayThanThereIsRoomFor() throws Exception {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Semaphore held = new Semaphore(0);
        beforeFrom = method -> {
            if (method.equals("get")) {
                most.accumulateAndGet(now.incrementAndGet(), Math::max);
                held.acquireUninterruptibly();
                now.decrementAndGet();
            }
        };
        give(100, Preheat.STORAGE);

        await().until(() -> now.get() == Lanes.BLOCKS);
        held.release(1_000);
        awaitOutcomes("1".repeat(100));
        assertThat(most).hasValue(Lanes.BLOCKS);
    }

    @Test
    void whileClientsNeedAllThereIsNoneIsBegun() throws Exception {
        busy = true;
        give(2, Preheat.STORAGE);

        await().until(() -> giver.copied.size() >= 2);
        assertThat(warmer.counters().copied().sum()).isZero();
        busy = false;
        awaitOutcomes("11");
    }

    @Test
    void whoStopsGivesBackWhatIsNotDone() throws Exception {
        Semaphore held = new Semaphore(0);
        beforeFrom = method -> {
            if (method.equals("get")) {
                try {
                    held.acquire();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new StorageException(Kind.UNAVAILABLE, "interrupted", e);
                }
            }
        };
        give(2, Preheat.STORAGE);
        held.release();
        await().until(() -> warmer.counters().copied().sum() == 1);

        warmer.close();

        assertThat(giver.copied.getLast().getGivenBack()).isTrue();
    }
}
