package dev.kvstore.benchmark.kvcache.block;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.kvcache.config.Model;
import dev.kvstore.benchmark.kvcache.config.QosClass;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.engine.Ledger;
import dev.kvstore.benchmark.kvcache.engine.Slot;
import dev.kvstore.benchmark.kvcache.engine.TieredCache;
import dev.kvstore.benchmark.kvcache.tier.NullTier;
import dev.kvstore.benchmark.kvcache.tier.Scratch;
import dev.kvstore.benchmark.kvcache.tier.TierPolicy;
import dev.kvstore.benchmark.kvcache.workload.RequestPhase;
import dev.kvstore.benchmark.kvcache.workload.User;
import dev.kvstore.benchmark.kvcache.workload.UserRequest;
import dev.kvstore.protocol.block.Partition;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Blocks as entries of tiers, of which any may be evicted. */
class TieredBlocksTest {
    private static final int BLOCK_TOKENS = 16;
    private static final int BLOCKS = 5;

    private final Scratch memory = new Scratch();
    private final TieredCache cache = new TieredCache(
            new TieredCache.TierSetup(
                    new Model("test", 1, 1, 8, 0, 2),
                    1,
                    List.of(new TieredCache.CountedTier(Slot.STORAGE, new NullTier())),
                    0,
                    true,
                    null,
                    Clock.systemUTC()),
            new TierPolicy(
                    new double[] {Double.POSITIVE_INFINITY},
                    WorkloadConfig.usual().eviction()),
            new AtomicReference<>(new Ledger()));
    private final TieredBlocks blocks = new TieredBlocks(cache, BLOCK_TOKENS);
    private final BlockPrompt prompt = BlockPrompt.of(
            new UserRequest(
                    0,
                    0,
                    new User(0, 100, 1, 1, QosClass.BATCH),
                    BLOCKS * BLOCK_TOKENS,
                    1,
                    RequestPhase.PREFILL_DECODE,
                    "key",
                    1,
                    null,
                    null,
                    0,
                    0,
                    null,
                    List.of()),
            Partition.of("test", BLOCK_TOKENS),
            0);

    @Test
    void aPromptThatIsThereWholeIsFoundWhole() throws Exception {
        blocks.write(prompt, 0, memory);

        assertThat(blocks.lookup(prompt)).isEqualTo(BLOCKS);
    }

    @Test
    void aHoleInTheMiddleEndsTheStoredPrefix() throws Exception {
        blocks.write(prompt, 0, memory);
        cache.delete(prompt.key(2));

        assertThat(blocks.lookup(prompt)).isEqualTo(2);
    }

    @Test
    void aPromptWithoutItsFirstBlockHasNoStoredPrefix() throws Exception {
        blocks.write(prompt, 0, memory);
        cache.delete(prompt.key(0));

        assertThat(blocks.lookup(prompt)).isZero();
    }

    @Test
    void aBlockThatIsEvictedBetweenLookupAndReadingEndsTheReading() throws Exception {
        blocks.write(prompt, 0, memory);
        cache.delete(prompt.key(3));

        assertThat(blocks.read(prompt, BLOCKS, memory)).isEqualTo(3);
    }

    @Test
    void aHoleIsFilledByTheNextWrite() throws Exception {
        blocks.write(prompt, 0, memory);
        cache.delete(prompt.key(2));
        blocks.write(prompt, 2, memory);

        assertThat(blocks.lookup(prompt)).isEqualTo(BLOCKS);
    }
}
