package dev.kvstore.dataplane.tier.disk;

import static dev.kvstore.testing.schedule.RacingThreads.race;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.memory.ByteBudget;
import dev.kvstore.testing.schedule.Schedules;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Under every schedule a reader finds a block until it is on disk, and nobody finds a block that is forgotten. */
@Tag("slow")
final class DemotionQueueRacesTest {
    private static final int BUFFER_BYTES = 1000;

    private final Records records = new Records(1 << 20);

    @Test
    void aBlockIsFoundFromItsAdditionUntilItIsOnDisk() {
        Schedules.explore(() -> {
            ByteBudget budget = new ByteBudget(1 << 20);
            DemotionQueue queue = new DemotionQueue(budget, Duration.ofSeconds(30));
            Set<RecordKey> disk = ConcurrentHashMap.newKeySet();
            add(queue, budget, 1);

            race(() -> write(queue, disk), () -> assertThat(find(queue, disk)).isTrue(), () -> add(queue, budget, 1));

            assertThat(find(queue, disk)).isTrue();
            assertGivenBack(queue, budget);
        });
    }

    @Test
    void aBlockThatIsForgottenStaysForgotten() {
        Schedules.explore(() -> {
            ByteBudget budget = new ByteBudget(1 << 20);
            DemotionQueue queue = new DemotionQueue(budget, Duration.ofSeconds(30));
            Set<RecordKey> disk = ConcurrentHashMap.newKeySet();
            add(queue, budget, 1);

            race(
                    () -> write(queue, disk),
                    () -> {
                        queue.forget(key(1), disk::remove);
                        assertThat(find(queue, disk)).isFalse();
                    },
                    () -> release(queue.get(key(1))));

            assertThat(disk).isEmpty();
            assertGivenBack(queue, budget);
        });
    }

    @Test
    void theThreadThatWritesHearsOfEachBlockAndOfTheEnd() {
        Schedules.explore(() -> {
            ByteBudget budget = new ByteBudget(1 << 20);
            DemotionQueue queue = new DemotionQueue(budget, Duration.ofSeconds(30));
            Set<RecordKey> disk = ConcurrentHashMap.newKeySet();

            race(
                    () -> {
                        for (var batch = queue.take(100); batch != null; batch = queue.take(100)) {
                            queue.done(batch, disk::add);
                        }
                    },
                    () -> {
                        add(queue, budget, 1);
                        queue.close();
                        add(queue, budget, 2);
                    },
                    () -> queue.forget(key(3), _ -> true));

            assertThat(disk).containsExactly(key(1));
            assertGivenBack(queue, budget);
        });
    }

    private RecordKey key(int i) {
        return new RecordKey(i, i);
    }

    private void add(DemotionQueue queue, ByteBudget budget, int i) {
        StoredBlock block = records.block(records.key(i), BUFFER_BYTES, i);
        long bytes = block.memory().takenBytes();
        assertThat(budget.tryTake(bytes)).isTrue();
        queue.add(key(i), block, bytes);
        block.release();
    }

    /** Writes one batch, or nothing if no block waits. */
    private static void write(DemotionQueue queue, Set<RecordKey> disk) throws InterruptedException {
        queue.close();
        DemotionQueue.Batch batch = queue.take(100);
        if (batch != null) {
            queue.done(batch, disk::add);
        }
    }

    /** Looks for the block in the queue, then on disk, as a reader does. */
    private boolean find(DemotionQueue queue, Set<RecordKey> disk) {
        @Nullable StoredBlock block = queue.get(key(1));
        release(block);
        return block != null || disk.contains(key(1));
    }

    private static void release(@Nullable StoredBlock block) {
        if (block != null) {
            assertThat(block.retain().buffer().remaining()).isEqualTo(BUFFER_BYTES);
            block.release();
            block.release();
        }
    }

    private void assertGivenBack(DemotionQueue queue, ByteBudget budget) {
        queue.drop();
        assertThat(budget.used()).isZero();
        assertThat(records.pool().usedBytes()).isZero();
    }
}
