package dev.kvstore.dataplane.presence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.kvstore.dataplane.account.StorageLocation;
import dev.kvstore.dataplane.block.BlockKey;
import dev.kvstore.dataplane.block.BlockNames;
import dev.kvstore.dataplane.memory.MemoryPool;
import dev.kvstore.dataplane.presence.log.OwnLog;
import dev.kvstore.dataplane.storage.BlockStore;
import dev.kvstore.dataplane.storage.HookedStore;
import dev.kvstore.dataplane.storage.MemoryStore;
import dev.kvstore.dataplane.storage.StorageException;
import dev.kvstore.dataplane.tier.MemoryTier;
import dev.kvstore.dataplane.tier.Tiers;
import dev.kvstore.dataplane.tier.disk.DiskTier;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.testing.Patience;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes that store blocks and are asked for them, as calls have them do it. */
@Timeout(120)
final class PresenceTest {
    private static final BlockHash PARTITION = new BlockHash(1, 1, 1, 1);
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final Executor THREADS = Executors.newVirtualThreadPerTaskExecutor();

    private final MemoryPool pool = new MemoryPool(64 << 20, Duration.ZERO);
    private final Tiers tiers = new Tiers(new MemoryTier(0, (_, _) -> {}), DiskTier.none(pool), THREADS);
    private final MemoryStore blobs = new MemoryStore();
    private final AtomicLong clock = new AtomicLong();
    private final SplittableRandom random = new SplittableRandom(1);

    @AfterEach
    void everythingIsGivenBack() {
        assertThat(pool.usedBytes()).isZero();
    }

    @Test
    void aPartitionThatWasLetGoOfIsWrittenAgainAndOthersHearOfIt() throws Exception {
        Presence writer = process("a", 20_000, Runnable::run);
        Presence reader = process("b", 1 << 20, Runnable::run);
        store(writer, key(PARTITION, 1));
        rest(writer);
        advance(BOUND);
        assertThat(reader.isStored(key(PARTITION, 1), blobs)).isTrue(); // has seen the log
        for (int other = 0; other < 200; other++) {
            writer.isStored(key(new BlockHash(2, 2, 2, other), 1), blobs);
        }

        store(writer, key(PARTITION, 2));
        rest(writer);
        advance(BOUND);

        assertThat(reader.isStored(key(PARTITION, 2), blobs)).isTrue();
    }

    @Test
    void aStorageThatHangsHoldsUpNoOther() throws Exception {
        Presence process = process("a", 1 << 20, THREADS);
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        HookedStore hung = new HookedStore(new MemoryStore());
        AtomicInteger told = new AtomicInteger();
        HookedStore healthy = new HookedStore(blobs);
        store(process, key(PARTITION, 1), hung.store());
        store(process, key(new BlockHash(2, 2, 2, 2), 1), healthy.store());
        hung.before((operation, name) -> {
            if (operation.equals("putIfMatch")) {
                hanging.countDown();
                released.await();
            }
        });
        healthy.after((operation, name) -> {
            if (operation.equals("putIfMatch")) {
                told.incrementAndGet();
            }
        });

        CompletableFuture<Void> first = process.beat();
        assertThat(hanging.await(60, TimeUnit.SECONDS)).isTrue();
        await().atMost(Patience.LIMIT).until(() -> told.get() == 1);
        CompletableFuture<Void> second = process.beat();
        second.get(60, TimeUnit.SECONDS);

        assertThat(told).hasValue(2);
        assertThat(first).isNotDone();
        released.countDown();
        first.get(60, TimeUnit.SECONDS);
    }

    @Test
    void whateverOneStorageThrowsTheOthersAreToldAndItIsTriedAgain() throws Exception {
        Presence process = process("a", 1 << 20, THREADS);
        HookedStore strange = new HookedStore(new MemoryStore());
        store(process, key(PARTITION, 1), strange.store());
        AtomicInteger tries = new AtomicInteger();
        strange.before((operation, name) -> {
            tries.incrementAndGet();
            throw tries.get() == 1 ? new IllegalArgumentException("no date") : new StackOverflowError();
        });
        BlockKey other = key(new BlockHash(2, 2, 2, 2), 1);
        AtomicInteger told = new AtomicInteger();
        HookedStore healthy = new HookedStore(blobs).after((operation, name) -> told.incrementAndGet());
        store(process, other, healthy.store());
        int before = told.get();

        for (int i = 1; i <= 3; i++) {
            process.beat().get(60, TimeUnit.SECONDS);
            assertThat(tries).hasValue(i);
            assertThat(told).hasValue(before + i);
        }
    }

    @Test
    void aBlockThatIsStoredAfterTheLastBeatIsToldAtOnce() throws Exception {
        Presence process = process("a", 1 << 20, Runnable::run);
        store(process, key(PARTITION, 1));
        try (Presence.PendingWrite writing = process.begin(key(PARTITION, 2), blobs)) {
            process.close();
            put(key(PARTITION, 2), blobs);
            writing.stored(1);
        }
        advance(BOUND);

        Presence other = process("b", 1 << 20, Runnable::run);
        assertThat(other.isStored(key(PARTITION, 1), blobs)).isTrue();
        assertThat(other.isStored(key(PARTITION, 2), blobs)).isTrue();
    }

    @Test
    void nothingIsBegunAfterTheLastBeat() {
        Presence process = process("a", 1 << 20, Runnable::run);
        process.close();

        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> process.begin(key(PARTITION, 1), blobs))
                .withMessageContaining("this process stops");
    }

    @Test
    void aProcessThatEndsClosesEachOpenLogWithOneCall() throws Exception {
        List<String> calls = new CopyOnWriteArrayList<>();
        HookedStore counted = new HookedStore(blobs).before((operation, _) -> calls.add(operation));
        Presence process = process("a", 1 << 20, Runnable::run);
        int partitions = 50;
        for (int i = 0; i < partitions; i++) {
            store(process, key(new BlockHash(2, 2, 2, i), 1), counted.store());
        }
        calls.clear();

        process.close();

        assertThat(calls).hasSize(partitions).containsOnly("putIfMatch");
    }

    @Test
    void aBlockThatNobodySaidIsStoredIsBelievedOnceItWasReadAndByAllAfterAWhile() throws Exception {
        Presence process = process("a", 1 << 20, Runnable::run);
        store(process, key(PARTITION, 1));
        rest(process);
        put(key(PARTITION, 2), blobs); // and its writer died without a word, a long time ago
        assertThat(process.mightBeStored(key(PARTITION, 2), blobs)).isFalse();

        process.found(key(PARTITION, 2), 1, process.asked(key(PARTITION, 2)));
        assertThat(process.isStored(key(PARTITION, 2), blobs)).isTrue();

        advance(BOUND);
        process.mightBeStored(key(PARTITION, 1), blobs); // looks at storage again
        Presence other = process("b", 1 << 20, Runnable::run);
        assertThat(other.isStored(key(PARTITION, 2), blobs)).isTrue();
    }

    @Test
    void anAnswerThatABlockIsAbsentCountsForNothingIfTheBlockWasStoredMeanwhile() throws Exception {
        Presence process = process("a", 1 << 20, Runnable::run);
        store(process, key(PARTITION, 1));
        Presence.ExistenceQuery asked = process.asked(key(PARTITION, 2));
        store(process, key(PARTITION, 2));

        process.missing(key(PARTITION, 2), asked);

        assertThat(process.mightBeStored(key(PARTITION, 2), blobs)).isTrue();
    }

    @Test
    void anAnswerThatABlockIsAbsentCountsIfItWasAskedAfterwards() throws Exception {
        Presence process = process("a", 1 << 20, Runnable::run);
        store(process, key(PARTITION, 1));

        process.missing(key(PARTITION, 1), process.asked(key(PARTITION, 1)));

        assertThat(process.mightBeStored(key(PARTITION, 1), blobs)).isFalse();
    }

    @Test
    void aPartitionLargerThanTheMemoryForFiltersIsReadOnce() throws Exception {
        Presence writer = process("a", 1 << 20, Runnable::run);
        for (int i = 0; i < 2_000; i++) {
            store(writer, key(PARTITION, random.nextLong()));
        }
        rest(writer);
        advance(BOUND);
        AtomicInteger calls = new AtomicInteger();
        HookedStore counted = new HookedStore(blobs).before((operation, name) -> calls.incrementAndGet());
        Presence reader = process("b", 1_000, Runnable::run);
        assertThat(reader.isStored(key(PARTITION, 7), counted.store())).isFalse();
        int learnt = calls.get();

        assertThat(reader.isStored(key(PARTITION, 8), counted.store())).isFalse();

        assertThat(calls).hasValue(learnt);
    }

    @Test
    void aWriteDoesNotWaitForTheListingOfItsPartition() throws Exception {
        Presence before = process("a", 1 << 20, Runnable::run);
        store(before, key(PARTITION, 1));
        rest(before);
        for (String name : blobs.list("kv/v1/" + PARTITION.hex() + "/presence/", null, 5000)
                .names()) {
            blobs.lose(name);
        }
        CountDownLatch listing = new CountDownLatch(1);
        CountDownLatch released = new CountDownLatch(1);
        // The first answer tells that the partition has blocks.
        AtomicInteger listings = new AtomicInteger();
        HookedStore slow = new HookedStore(blobs).before((operation, name) -> {
            if (operation.equals("list") && !name.contains("presence") && listings.incrementAndGet() > 1) {
                listing.countDown();
                released.await();
            }
        });
        Presence process = process("b", 1 << 20, THREADS);
        THREADS.execute(() -> process.mightBeStored(key(PARTITION, 1), slow.store()));
        assertThat(listing.await(60, TimeUnit.SECONDS)).isTrue();

        CompletableFuture.runAsync(() -> storeUnchecked(process, key(PARTITION, 2), slow.store()), THREADS)
                .get(60, TimeUnit.SECONDS);

        assertThat(process.isStored(key(PARTITION, 2), slow.store())).isTrue();
        released.countDown();
        await().atMost(Patience.LIMIT).until(() -> !process.mightBeStored(key(PARTITION, 3), slow.store()));
        assertThat(process.isStored(key(PARTITION, 1), slow.store())).isTrue();
        assertThat(process.isStored(key(PARTITION, 2), slow.store())).isTrue();
    }

    private void storeUnchecked(Presence process, BlockKey key, BlockStore store) {
        try {
            store(process, key, store);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private Presence process(String node, long filterBytes, Executor executor) {
        return new Presence(
                tiers,
                pool,
                new Presence.PresenceCapacity(0, filterBytes),
                node,
                clock::get,
                random,
                executor,
                new SimpleMeterRegistry(),
                Announcements.NONE);
    }

    private void store(Presence process, BlockKey key) throws Exception {
        store(process, key, blobs);
    }

    private void store(Presence process, BlockKey key, BlockStore store) throws Exception {
        try (Presence.PendingWrite writing = process.begin(key, store)) {
            put(key, store);
            writing.stored(1);
        }
    }

    private static void put(BlockKey key, BlockStore store) throws Exception {
        store.putIfAbsent(BlockNames.descriptor(key.root()), ByteBuffer.wrap(new byte[] {1}));
        store.putIfAbsent(key.blobName(), ByteBuffer.wrap(new byte[] {1}));
    }

    /** Tells of everything, and comes to rest. */
    private void rest(Presence process) {
        process.beat().join();
        advance(OwnLog.IDLE);
        process.beat().join();
    }

    private void advance(Duration time) {
        clock.addAndGet(time.toNanos());
    }

    private static BlockKey key(BlockHash partition, long block) {
        StorageLocation somewhere = new StorageLocation.Filesystem(Path.of("somewhere"));
        return new BlockKey(somewhere, partition, new BlockHash(block * 0x9e3779b97f4a7c15L, 2, 3, block));
    }
}
