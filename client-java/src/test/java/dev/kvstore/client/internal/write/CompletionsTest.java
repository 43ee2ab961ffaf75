package dev.kvstore.client.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kvstore.client.KvStoreException;
import dev.kvstore.client.SdkBlocks;
import dev.kvstore.client.internal.Errors;
import dev.kvstore.testing.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The threads that complete futures. */
class CompletionsTest {
    private final KvStoreException failure = Errors.damaged("as the test wants it");

    private final ReentrantLock lock = new ReentrantLock();
    private final List<PendingBlock> taken = new ArrayList<>();
    private final Completions completions = new Completions(lock, block -> {
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(block.future())
                .as("a block counts no more when its future completes")
                .isNotDone();
        taken.add(block);
    });

    @AfterEach
    void end() {
        lock.lock();
        try {
            completions.end();
        } finally {
            lock.unlock();
        }
    }

    static PendingBlock pending() {
        OutgoingBlock outgoing = OutgoingBlock.of(SdkBlocks.PARTITION, SdkBlocks.newBlock(ObservedWriter.CHAIN, 0, 10));
        return new PendingBlock(outgoing, block -> {});
    }

    private PendingBlock add(PendingBlock block) {
        lock.lock();
        try {
            block.decide(null, failure);
            assertThat(block.settle()).isTrue();
            completions.add(block);
            return block;
        } finally {
            lock.unlock();
        }
    }

    private List<PendingBlock> incomplete() {
        lock.lock();
        try {
            return completions.incomplete();
        } finally {
            lock.unlock();
        }
    }

    @Test
    void codeThatHangsOnAFutureDelaysNoOther() {
        CountDownLatch others = new CountDownLatch(3);
        PendingBlock slow = pending();
        CompletableFuture<Boolean> dependent = slow.future().handle((result, thrown) -> {
            awaitUninterruptibly(others);
            return true;
        });
        add(slow);

        for (int i = 0; i < 3; i++) {
            PendingBlock other = pending();
            var _ = other.future().whenComplete((result, thrown) -> others.countDown());
            add(other);
        }

        assertThat(dependent).succeedsWithin(Patience.LIMIT);
        await().until(() -> incomplete().isEmpty());
        assertThat(taken).hasSize(4);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aThreadThatDependentCodeHasInterruptedCompletesTheNextFuturesUnmarked() {
        for (int i = 0; i < 10; i++) {
            PendingBlock block = pending();
            CompletableFuture<Boolean> marked = block.future().handle((result, thrown) -> {
                boolean before = Thread.currentThread().isInterrupted();
                Thread.currentThread().interrupt();
                return before;
            });
            add(block);
            assertThat(marked).succeedsWithin(Patience.LIMIT).isEqualTo(false);
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> incomplete().isEmpty());
        }
    }

    @Test
    void blocksThatWereAddedBeforeTheEndComplete() {
        List<PendingBlock> blocks = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            blocks.add(add(pending()));
        }
        end();

        assertThat(blocks)
                .allSatisfy(block -> assertThat(block.future())
                        .failsWithin(Patience.LIMIT)
                        .withThrowableThat()
                        .withCause(failure));
    }
}
