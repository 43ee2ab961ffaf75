package dev.kvstore.dataplane.storage.filesystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.kvstore.dataplane.memory.BlockMemory;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.storage.StorageException.Kind;
import dev.kvstore.dataplane.storage.StoredContents;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class DiskThreadsTest {
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofSeconds(30);

    private final CountDownLatch diskWorks = new CountDownLatch(1);
    private final MemoryPool memory = new MemoryPool(4096, Duration.ZERO);

    @AfterEach
    void repairDisk() {
        diskWorks.countDown();
    }

    @Test
    void doWorkOnPlatformThreads() throws Exception {
        Thread worker = new DiskThreads(1, LONG).run("blob a", null, Thread::currentThread);

        assertThat(worker.isVirtual()).isFalse();
        assertThat(worker.isDaemon()).isTrue();
    }

    @Test
    void giveUpOnWorkThatHangs() {
        assertSilent(() -> hang(new DiskThreads(1, SHORT), null));
    }

    @Test
    void giveUpWhenAllHang() {
        DiskThreads threads = new DiskThreads(1, SHORT);
        assertSilent(() -> hang(threads, null));

        assertSilent(() -> threads.run("blob a", null, () -> "never begun"));
    }

    @Test
    void goOnOnceTheDiskDoes() {
        DiskThreads threads = new DiskThreads(1, SHORT);
        assertSilent(() -> hang(threads, null));

        diskWorks.countDown();

        await().ignoreExceptions()
                .untilAsserted(() ->
                        assertThat(threads.run("blob a", null, () -> "done")).isEqualTo("done"));
    }

    @Test
    void keepMemoryUntilTheirWorkEnds() throws Exception {
        BlockMemory lent = memory.allocate(4096);
        assertSilent(() -> hang(new DiskThreads(1, SHORT), lent));
        lent.release();
        assertThat(memory.usedBytes()).isEqualTo(4096);

        diskWorks.countDown();

        await().untilAsserted(() -> assertThat(memory.usedBytes()).isZero());
    }

    @Test
    void giveMemoryBackThatTheyDidNotGetTo() throws Exception {
        DiskThreads threads = new DiskThreads(1, SHORT);
        assertSilent(() -> hang(threads, null));

        BlockMemory lent = memory.allocate(4096);
        assertSilent(() -> threads.run("blob a", lent, () -> "never begun"));
        lent.release();

        assertThat(memory.usedBytes()).isZero();
    }

    @Test
    void letManyMoreCallersThanThereAreWaitTheirTurn() throws Exception {
        DiskThreads threads = new DiskThreads(4, LONG);
        AtomicInteger working = new AtomicInteger();

        List<Integer> together = StoredContents.together(
                500,
                _ -> threads.run("blob a", null, () -> {
                    int most = working.incrementAndGet();
                    Thread.onSpinWait();
                    working.decrementAndGet();
                    return most;
                }));

        assertThat(together).hasSize(500).allSatisfy(most -> assertThat(most).isBetween(1, 4));
    }

    @Test
    void areNoMoreThanTheWorkNeeds() throws Exception {
        DiskThreads threads = new DiskThreads(32, LONG);
        Set<Thread> used = new HashSet<>();
        for (int i = 0; i < 200; i++) {
            Thread worker = threads.run("blob a", null, Thread::currentThread);
            used.add(worker);
            await("it is idle again")
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> worker.getState() == Thread.State.TIMED_WAITING);
        }

        assertThat(used).hasSize(1);
    }

    @Test
    void passOnWhatWorkThrows() {
        DiskThreads threads = new DiskThreads(1, LONG);
        StorageException full = new StorageException(Kind.FULL, "full", null);

        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> threads.run("blob a", null, () -> {
                    throw full;
                }))
                .isSameAs(full);
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> threads.run("blob a", null, () -> {
                    throw new IllegalArgumentException("bad name");
                }));
    }

    private void hang(DiskThreads threads, @Nullable BlockMemory lent) throws StorageException {
        threads.run("blob a", lent, () -> {
            try {
                diskWorks.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return "too late";
        });
    }

    private static void assertSilent(ThrowingCallable call) {
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(call)
                .withMessage("blob a: the file system does not answer within 100 ms")
                .satisfies(e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE));
    }
}
