package dev.kvstore.dataplane.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kvstore.dataplane.storage.StorageException.Kind;
import dev.kvstore.dataplane.storage.filesystem.FilesystemStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Also holds the contract: to be far away changes nothing but time. */
@Timeout(180)
class DelayedStoreTest extends BlockStoreContract {
    private static final Duration READ = Duration.ofMillis(20);
    private static final Duration WRITE = Duration.ofMillis(40);
    private static final AddedLatency LATENCY = new AddedLatency(READ, WRITE);

    @TempDir
    Path folder;

    private final Queue<Duration> pauses = new ConcurrentLinkedQueue<>();

    private Path root = Path.of("not opened yet");

    @Override
    protected BlockStore newStore() throws Exception {
        root = folder.resolve(UUID.randomUUID().toString());
        return new DelayedStore(FilesystemStore.open(root, InstantSource.system()), LATENCY, pauses::add);
    }

    @Override
    protected void putBehindTheStore(String name, int length) throws Exception {
        BlobFiles.putZeros(root, name, length);
    }

    @Test
    void everyCallThatAsksTakesTheLatencyOfReads() throws Exception {
        store.get("a", BlockStore.MAX_BLOB_BYTES, memory);
        store.getRange("a", 0, 1, memory);
        store.getIfChanged("a", "1", BlockStore.MAX_BLOB_BYTES, memory);
        store.exists("a");
        store.list("", null, 1);

        assertThat(pauses).hasSize(5).containsOnly(READ);
    }

    @Test
    void everyCallThatChangesTakesTheLatencyOfWrites() throws Exception {
        store.putIfAbsent("a", StoredContents.random(1, 10));
        store.putIfMatch("a", StoredContents.random(2, 10), "1");
        store.deleteIfMatch("a", "1");

        assertThat(pauses).hasSize(3).containsOnly(WRITE);
    }

    @Test
    void aCopyTakesThatOfReadingThereAndOfWritingHere() throws Exception {
        put("a", StoredContents.random(1, 10));
        try (BlockStore other = newStore()) {
            pauses.clear();

            other.copyFrom(store, "a", memory);
        }

        assertThat(pauses).containsExactlyInAnyOrder(READ, WRITE);
    }

    @Test
    void howeverManyCallsThereAreTheirLatenciesPassTogether() throws Exception {
        int calls = 2_000;
        CountDownLatch waiting = new CountDownLatch(calls);
        List<Future<Boolean>> answers = new ArrayList<>();
        try (BlockStore far = new DelayedStore(new MemoryStore(), LATENCY, _ -> {
                    waiting.countDown();
                    // Ends only when all wait.
                    waiting.await();
                });
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < calls; i++) {
                answers.add(threads.submit(() -> far.exists("a")));
            }
            for (Future<Boolean> answer : answers) {
                assertThat(answer.get()).isFalse();
            }
        }
    }

    @Test
    void whoeverIsInterruptedMeanwhileIsToldThatStorageIsAwayAndStaysInterrupted() {
        try (BlockStore far = new DelayedStore(new MemoryStore(), LATENCY)) {
            Thread.currentThread().interrupt();

            assertThatExceptionOfType(StorageException.class)
                    .isThrownBy(() -> far.exists("a"))
                    .matches(e -> e.kind() == Kind.UNAVAILABLE);
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
