package dev.kvstore.dataplane.tier.disk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.dataplane.block.StoredBlock;
import dev.kvstore.dataplane.memory.ByteBudget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class DemotionQueueTest {
    private final Records records = new Records(1 << 20);
    private final ByteBudget budget = new ByteBudget(1 << 20);
    private final DemotionQueue queue = new DemotionQueue(budget, Duration.ofSeconds(30));
    private final List<RecordKey> written = new ArrayList<>();

    @AfterEach
    void everyByteIsGivenBack() {
        queue.drop();
        assertThat(budget.used()).isZero();
        assertThat(records.pool().usedBytes()).isZero();
    }

    @Test
    void aBlockIsHereUntilItIsWritten() throws Exception {
        add(1);
        assertThat(queue.contains(key(1))).isTrue();

        DemotionQueue.Batch batch = take(100);
        assertThat(queue.contains(key(1))).isTrue();
        release(queue.get(key(1)));

        queue.done(batch, written::add);
        assertThat(written).containsExactly(key(1));
        assertThat(queue.contains(key(1))).isFalse();
        assertThat(queue.get(key(1))).isNull();
    }

    @Test
    void aBlockForgottenWhileItIsWrittenIsNotFoundAndToldToTheDisk() throws Exception {
        add(1);
        DemotionQueue.Batch batch = take(100);

        queue.forget(key(1), _ -> false);
        assertThat(queue.get(key(1))).isNull();
        queue.done(batch, written::add);

        assertThat(written).isEmpty();
        assertThat(take(100).forgotten()).containsExactly(key(1));
    }

    @Test
    void namesToBeForgottenOutliveTheBlocksThatAreDropped() throws Exception {
        queue.forget(key(1), _ -> true);
        add(2);

        assertThat(queue.drop()).isEqualTo(1);
        add(3);

        DemotionQueue.Batch batch = take(100);
        assertThat(batch.forgotten()).containsExactly(key(1));
        queue.done(batch, written::add);
        assertThat(written).containsExactly(key(3));
    }

    @Test
    void aBlockForgottenBeforeItIsWrittenIsNotWritten() throws Exception {
        add(1);
        queue.forget(key(1), _ -> false);
        add(2);

        DemotionQueue.Batch batch = take(100);
        queue.done(batch, written::add);

        assertThat(batch.forgotten()).isEmpty();
        assertThat(written).containsExactly(key(2));
    }

    @Test
    void whatIsForgottenIsWrittenBeforeWhatIsGivenAnew() throws Exception {
        for (int i = 0; i < Directory.MAX_ENTRIES + 10; i++) {
            queue.forget(key(i), _ -> true);
        }
        add(Directory.MAX_ENTRIES + 5);

        DemotionQueue.Batch first = take(100);
        DemotionQueue.Batch second = take(100);

        assertThat(first.forgotten()).hasSize(Directory.MAX_ENTRIES);
        assertThat(first.blocks()).isEmpty();
        assertThat(second.forgotten()).hasSize(10).contains(key(Directory.MAX_ENTRIES + 5));
        assertThat(second.blocks()).containsOnlyKeys(key(Directory.MAX_ENTRIES + 5));
        queue.done(second, written::add);
    }

    @Test
    void aBatchHasWhatFits() throws Exception {
        add(1);
        add(2);
        add(3);

        assertThat(take(2).isEmpty()).isTrue();
        DemotionQueue.Batch two = take(5);

        assertThat(two.blocks()).containsOnlyKeys(key(1), key(2));
        queue.done(two, written::add);
    }

    @Test
    void whatCouldNotBeWrittenDownWaitsForTheNextBlock() throws Exception {
        queue.forget(key(1), _ -> true);
        queue.putBack(take(100).forgotten());
        add(2);

        DemotionQueue.Batch batch = take(100);

        assertThat(batch.forgotten()).containsExactly(key(1));
        queue.done(batch, written::add);
    }

    @Test
    void aClosedQueueGivesWhatItHasAndThenNothing() throws Exception {
        add(1);
        queue.close();
        add(2);

        queue.done(take(100), written::add);

        assertThat(written).containsExactly(key(1));
        assertThat(queue.take(100)).isNull();
    }

    private DemotionQueue.Batch take(int pages) throws InterruptedException {
        DemotionQueue.Batch batch = queue.take(pages);
        assertThat(batch).isNotNull();
        return batch;
    }

    private void add(int i) {
        StoredBlock block = records.block(records.key(i), 512, i);
        assertThat(budget.tryTake(block.memory().takenBytes())).isTrue();
        queue.add(key(i), block, block.memory().takenBytes());
        block.release();
    }

    private static void release(@Nullable StoredBlock block) {
        assertThat(block).isNotNull();
        block.release();
    }

    private static RecordKey key(int i) {
        return new RecordKey(i, i);
    }
}
