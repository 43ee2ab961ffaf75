package dev.kvstore.benchmark.kvcache.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.engine.TieredCache.CountedTier;
import dev.kvstore.benchmark.kvcache.engine.TieredCache.ReadPurpose;
import dev.kvstore.benchmark.kvcache.tier.EntryBytes;
import dev.kvstore.benchmark.kvcache.tier.IoTime;
import dev.kvstore.benchmark.kvcache.tier.KvCacheMemoryTier;
import dev.kvstore.benchmark.kvcache.tier.NoiseContent;
import dev.kvstore.benchmark.kvcache.tier.Scratch;
import dev.kvstore.benchmark.kvcache.tier.Tier;
import dev.kvstore.benchmark.kvcache.tier.TierPolicy;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Entries in two tiers of memory. */
class TieredCacheTest {
    // 32 bytes a token: 1,000 tokens are 32,000 bytes, of which two fit the upper tier.
    private static final double UPPER = 90_000;
    private static final double LOWER = 200_000;

    private final AtomicReference<Ledger> ledger = new AtomicReference<>(new Ledger());
    private final Scratch memory = new Scratch();

    private TieredCache cache(Tier upper, Tier lower) {
        return new TieredCache(
                new TieredCache.TierSetup(
                        Trial.MODEL,
                        1,
                        List.of(new CountedTier(Slot.CPU, upper), new CountedTier(Slot.STORAGE, lower)),
                        0,
                        true,
                        null,
                        Clock.systemUTC()),
                new TierPolicy(
                        new double[] {UPPER, LOWER}, WorkloadConfig.usual().eviction()),
                ledger);
    }

    private static KvCacheMemoryTier memoryTier() {
        return new KvCacheMemoryTier(new NoiseContent(1));
    }

    @Test
    void anEntryIsReadFromTheTierThatItWasDemotedTo() throws Exception {
        TieredCache cache = cache(memoryTier(), memoryTier());
        for (int i = 0; i < 4; i++) {
            cache.allocate("k" + i, 1_000, memory);
        }

        assertThat(cache.access("k0", ReadPurpose.USER, memory).hit()).isTrue();
        assertThat(cache.entries(Slot.STORAGE)).isEqualTo(2);
        assertThat(ledger.get().demotions.count()).isEqualTo(2);
    }

    @Test
    void theBytesThatATierHoldsAreThoseWrittenLessThoseGone() throws Exception {
        TieredCache cache = cache(memoryTier(), memoryTier());
        for (int i = 0; i < 50; i++) {
            cache.allocate("k" + i, 1_000, memory);
        }
        long lower = ledger.get().tier(Slot.STORAGE).writtenBytes.sum();
        long deleted = ledger.get().evictions.sum() - ledger.get().demotions.count();

        assertThat(cache.held(Slot.STORAGE)).isEqualTo(lower - deleted * 32_000.0);
    }

    @Test
    void anEntryThatIsThereIsNotWrittenAgain() throws Exception {
        TieredCache cache = cache(memoryTier(), memoryTier());
        cache.allocate("k", 1_000, memory);
        cache.allocate("k", 1_000, memory);

        assertThat(ledger.get().prefillWrites.sum()).isEqualTo(1);
    }

    @Test
    void anEntryThatWasDeletedIsAMiss() throws Exception {
        TieredCache cache = cache(memoryTier(), memoryTier());
        for (int i = 0; i < 50; i++) {
            cache.allocate("k" + i, 1_000, memory);
        }

        assertThat(cache.access("k0", ReadPurpose.USER, memory).hit()).isFalse();
        assertThat(ledger.get().misses.sum()).isEqualTo(1);
    }

    /** A mistake of a tier with an entry. */
    private enum TierMistake {
        LOST(-1, "k"),
        TAKEN_FOR_ANOTHER(1, "other");

        private final long id;
        private final String key;

        TierMistake(long id, String key) {
            this.id = id;
            this.key = key;
        }

        /** An entry whose reading fails in the same way. */
        EntryBytes instead() {
            return new EntryBytes(id, NoiseContent.seed(key), 32_000);
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofAThousandReadsOfWhichEachHundredthGoesWrongTenAreErrorsAndTheOthersHits(TierMistake mistake)
            throws Exception {
        AtomicLong reads = new AtomicLong();
        TieredCache cache = cache(
                new TestTier(memoryTier()) {
                    @Override
                    public IoTime read(EntryBytes blob, Scratch memory, boolean check, LongConsumer moved)
                            throws IOException {
                        return super.read(
                                reads.incrementAndGet() % 100 == 0 ? mistake.instead() : blob, memory, check, moved);
                    }
                },
                memoryTier());
        cache.allocate("k", 1_000, memory);
        for (int i = 1; i <= 1_000; i++) {
            ThrowingCallable read = () -> cache.access("k", ReadPurpose.USER, memory);
            if (i % 100 == 0) {
                assertThatIOException().isThrownBy(read);
            } else {
                assertThatCode(read).doesNotThrowAnyException();
            }
        }

        assertThat(ledger.get().errors.sum()).isEqualTo(10);
        assertThat(ledger.get().damaged.sum()).isEqualTo(mistake == TierMistake.LOST ? 0 : 10);
        assertThat(ledger.get().hits.sum()).isEqualTo(990);
    }

    /** A tier that keeps every write but each tenth: those are misses or errors, never hits. */
    @Test
    void whatATierDroppedIsNeverAHit() throws Exception {
        AtomicLong writes = new AtomicLong();
        TieredCache cache = cache(memoryTier(), new TestTier(memoryTier()) {
            @Override
            public IoTime write(EntryBytes blob, Scratch memory, LongConsumer moved) throws IOException {
                if (writes.incrementAndGet() % 10 == 0) {
                    return IoTime.NONE;
                }
                return super.write(blob, memory, moved);
            }
        });
        int hits = 0;
        int failed = 0;
        for (int i = 0; i < 100; i++) {
            cache.allocate("k" + i, 3_000, memory);
            try {
                hits += cache.access("k" + i, ReadPurpose.USER, memory).hit() ? 1 : 0;
            } catch (IOException e) {
                failed++;
            }
        }

        assertThat(failed).isEqualTo(10);
        assertThat(hits).isEqualTo(90);
    }

    @Test
    void anEntryThatCannotBeMovedIsLostAndItsRoomIsFree() throws Exception {
        TieredCache cache = cache(memoryTier(), new TestTier(memoryTier()) {
            @Override
            public IoTime write(EntryBytes blob, Scratch memory, LongConsumer moved) throws IOException {
                throw new IOException("full");
            }
        });
        int failed = 0;
        for (int i = 0; i < 10; i++) {
            try {
                cache.allocate("k" + i, 1_000, memory);
            } catch (IOException e) {
                failed++;
            }
        }

        assertThat(failed).isPositive();
        assertThat(cache.held(Slot.STORAGE)).isZero();
    }

    /** Remembers which entries it has, and stops at a write that is told. */
    private static final class WatchedTier extends TestTier {
        private final Set<Long> seeds = ConcurrentHashMap.newKeySet();
        private final long stopAt;
        private final CountDownLatch stopped = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);

        private WatchedTier(String stopAt) {
            super(memoryTier());
            this.stopAt = NoiseContent.seed(stopAt);
        }

        @Override
        public IoTime write(EntryBytes blob, Scratch memory, LongConsumer moved) throws IOException {
            if (blob.seed() == stopAt) {
                stopped.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            seeds.add(blob.seed());
            return super.write(blob, memory, moved);
        }

        @Override
        public void delete(EntryBytes blob) throws IOException {
            seeds.remove(blob.seed());
            super.delete(blob);
        }

        private boolean has(String key) {
            return seeds.contains(NoiseContent.seed(key));
        }
    }

    /** One thread has to demote it a tier, and is slow; another one demotes it two tiers meanwhile. */
    @Test
    void anEntryThatWentFurtherDownMeanwhileIsNotDemotedAgain() throws Exception {
        WatchedTier middle = new WatchedTier("k0");
        WatchedTier bottom = new WatchedTier("none");
        TierPolicy policy = new TierPolicy(
                new double[] {UPPER, UPPER, LOWER}, WorkloadConfig.usual().eviction());
        TieredCache cache = new TieredCache(
                new TieredCache.TierSetup(
                        Trial.MODEL,
                        1,
                        List.of(
                                new CountedTier(Slot.GPU, memoryTier()),
                                new CountedTier(Slot.CPU, middle),
                                new CountedTier(Slot.STORAGE, bottom)),
                        0,
                        true,
                        null,
                        Clock.systemUTC()),
                policy,
                ledger);
        cache.allocate("k0", 1_000, memory);
        cache.allocate("k1", 1_000, memory);
        Thread slow = Thread.ofPlatform().start(() -> {
            try {
                // Demotes k0, then k1.
                cache.allocate("large", 2_000, new Scratch());
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        middle.stopped.await();
        // Now k1 is the one that goes further, and nobody waits for k0.
        policy.access("k0");
        cache.allocate("other", 1_000, memory);
        boolean wasBelow = bottom.has("k1");
        middle.goOn.countDown();
        slow.join();

        assertThat(wasBelow).isTrue();
        assertThat(bottom.has("k1")).isTrue();
        assertThat(middle.has("k1")).isFalse();
        assertThat(ledger.get().demotions.count()).isEqualTo(2);
    }

    /** Many threads write, read and push out the same few entries. */
    @Test
    void threadsThatMeetAtAnEntryFindRightBytesOrNone() throws Exception {
        TieredCache cache = cache(memoryTier(), memoryTier());
        List<Thread> threads = new ArrayList<>();
        AtomicLong failures = new AtomicLong();
        for (int thread = 0; thread < 8; thread++) {
            int first = thread;
            threads.add(Thread.ofPlatform().start(() -> {
                Scratch own = new Scratch();
                for (int i = 0; i < 2_000; i++) {
                    try {
                        cache.allocate("k" + (first * 31 + i * 7) % 20, 1_000, own);
                        cache.access("k" + (first + i) % 20, ReadPurpose.USER, own);
                    } catch (IOException | InterruptedException e) {
                        failures.incrementAndGet();
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(failures).hasValue(0);
        assertThat(cache.held(Slot.CPU)).isEqualTo(cache.entries(Slot.CPU) * 32_000.0);
        assertThat(cache.held(Slot.STORAGE)).isEqualTo(cache.entries(Slot.STORAGE) * 32_000.0);
    }
}
