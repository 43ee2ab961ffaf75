package dev.kvstore.benchmark.kvcache.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.engine.TieredCache.CountedTier;
import dev.kvstore.benchmark.kvcache.engine.TieredCache.ReadPurpose;
import dev.kvstore.benchmark.kvcache.tier.EntryBytes;
import dev.kvstore.benchmark.kvcache.tier.IoTime;
import dev.kvstore.benchmark.kvcache.tier.NullTier;
import dev.kvstore.benchmark.kvcache.tier.Scratch;
import dev.kvstore.benchmark.kvcache.tier.TierPolicy;
import dev.kvstore.benchmark.kvcache.tier.Tiering;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bytes that were written are in a tier or were deleted from it, and what tiers say they hold is what they hold. */
class ConservationTest {
    private static final int OPERATIONS = 20_000;

    private final AtomicReference<Ledger> ledger = new AtomicReference<>(new Ledger());

    /** Counts the bytes in it. */
    private static final class Counting extends TestTier {
        private final LongAdder bytes = new LongAdder();

        private Counting() {
            super(new NullTier());
        }

        @Override
        public IoTime write(EntryBytes blob, Scratch memory, LongConsumer moved) throws IOException {
            bytes.add(blob.bytes());
            return super.write(blob, memory, moved);
        }

        @Override
        public void delete(EntryBytes blob) throws IOException {
            bytes.add(-blob.bytes());
            super.delete(blob);
        }
    }

    @ParameterizedTest
    @EnumSource
    void tiersHoldWhatWasWrittenAndNotDeleted(Tiering tiering) throws Exception {
        Counting gpu = new Counting();
        Counting cpu = new Counting();
        Counting storage = new Counting();
        TieredCache cache = new TieredCache(
                new TieredCache.TierSetup(
                        Trial.MODEL,
                        1,
                        List.of(
                                new CountedTier(Slot.GPU, gpu),
                                new CountedTier(Slot.CPU, cpu),
                                new CountedTier(Slot.STORAGE, storage)),
                        0,
                        true,
                        null,
                        Clock.systemUTC()),
                new TierPolicy(
                        new double[] {400_000, 900_000, 2_000_000},
                        WorkloadConfig.usual().eviction(),
                        tiering,
                        Integer.MAX_VALUE),
                ledger);
        SplittableRandom random = new SplittableRandom(42);
        Scratch memory = new Scratch();
        for (int i = 0; i < OPERATIONS; i++) {
            String key = "k" + random.nextInt(500);
            switch (random.nextInt(5)) {
                case 0 -> cache.delete(key);
                case 1, 2 -> cache.allocate(key, random.nextInt(1, 4_000), memory);
                default -> cache.access(key, ReadPurpose.USER, memory);
            }
        }

        assertThat((double) gpu.bytes.sum()).isEqualTo(cache.held(Slot.GPU));
        assertThat((double) cpu.bytes.sum()).isEqualTo(cache.held(Slot.CPU));
        assertThat((double) storage.bytes.sum()).isEqualTo(cache.held(Slot.STORAGE));
        assertThat(ledger.get().evictions.sum()).isPositive();
    }
}
