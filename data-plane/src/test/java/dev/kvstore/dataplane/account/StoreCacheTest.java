package dev.kvstore.dataplane.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.testing.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.hamcrest.Matchers;
import org.junit.jupiter.api.Test;

final class StoreCacheTest {
    private final AtomicLong clock = new AtomicLong();
    private final StoreCache stores = new StoreCache(_ -> new MemoryStore(), clock::get);

    @Test
    void aStoreIsOpenedOnceForAsLongAsItIsAskedFor() throws StorageException {
        BlockStore store = stores.store(account("a"));

        for (int i = 0; i < 10; i++) {
            clock.addAndGet(StoreCache.IDLE.minusNanos(1).toNanos());
            assertThat(stores.store(account("a"))).isSameAs(store);
        }
        assertThat(stores.size()).isEqualTo(1);
    }

    @Test
    void aStoreThatNobodyAsksForIsForgottenAndWhoHasItGoesOnWithIt() throws StorageException {
        BlockStore held = stores.store(account("a"));
        clock.addAndGet(StoreCache.IDLE.plus(Duration.ofNanos(1)).toNanos());

        assertThat(stores.size()).isZero();
        assertThat(stores.store(account("a"))).isNotSameAs(held);
        assertThat(held.exists("kv/v1/0a/block")).isFalse();
    }

    @Test
    void callersThatWantOneStoreShareItsOpening() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        AtomicInteger openings = new AtomicInteger();
        StoreCache cold = new StoreCache(_ -> {
            openings.incrementAndGet();
            await(gate);
            return new MemoryStore();
        });
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<BlockStore>> stores = IntStream.range(0, 500)
                    .mapToObj(_ -> callers.submit(() -> cold.store(account("a"))))
                    .toList();
            assertThat(stores.getFirst().isDone()).isFalse();
            gate.countDown();

            BlockStore first = stores.getFirst().get();
            for (Future<BlockStore> store : stores) {
                assertThat(store.get()).isSameAs(first);
            }
        }
        assertThat(openings).hasValue(1);
    }

    @Test
    void aFailureIsOfAllThatWaitedAndOfNobodyLater() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        AtomicInteger openings = new AtomicInteger();
        StoreCache cold = new StoreCache(_ -> {
            if (openings.incrementAndGet() > 1) {
                return new MemoryStore();
            }
            await(gate);
            throw new StorageException(StorageException.Kind.FORBIDDEN, "the secret cannot be read", null);
        });
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<BlockStore> first = callers.submit(() -> cold.store(account("a")));
            Awaitility.await().untilAtomic(openings, Matchers.is(1));
            Future<BlockStore> second = callers.submit(() -> cold.store(account("a")));
            try {
                Awaitility.await().until(() -> cold.waiting(account("a")) == 2);
            } finally {
                gate.countDown();
            }

            assertThat(first).failsWithin(Patience.LIMIT).withThrowableThat().withMessageContaining("the secret");
            assertThat(second).failsWithin(Patience.LIMIT).withThrowableThat().withMessageContaining("the secret");
        }
        assertThat(cold.store(account("a"))).isNotNull();
        assertThat(openings).hasValue(2);
    }

    @Test
    void aCallerThatLeavesDoesNotEndTheOpening() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        AtomicInteger openings = new AtomicInteger();
        StoreCache cold = new StoreCache(_ -> {
            openings.incrementAndGet();
            await(gate);
            return new MemoryStore();
        });
        CompletableFuture<StorageException> left = new CompletableFuture<>();
        Thread leaver = Thread.startVirtualThread(
                () -> left.complete(catchThrowableOfType(StorageException.class, () -> cold.store(account("a")))));
        Awaitility.await().untilAtomic(openings, Matchers.is(1));
        leaver.interrupt();
        assertThat(left.get()).hasMessageContaining("left while the storage of a was opened");

        gate.countDown();

        assertThat(cold.store(account("a"))).isNotNull();
        assertThat(openings).hasValue(1);
    }

    private static void await(CountDownLatch gate) throws StorageException {
        try {
            gate.await();
        } catch (InterruptedException e) {
            throw new StorageException(StorageException.Kind.UNAVAILABLE, "interrupted", e);
        }
    }

    private static Account account(String name) {
        return new Account(name, "tenant", new StorageLocation.Filesystem(Path.of("/" + name)));
    }
}
