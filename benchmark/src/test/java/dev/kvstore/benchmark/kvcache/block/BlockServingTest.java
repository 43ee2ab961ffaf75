package dev.kvstore.benchmark.kvcache.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kvstore.benchmark.kvcache.config.Model;
import dev.kvstore.benchmark.kvcache.config.QosClass;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.SystemPrompt;
import dev.kvstore.benchmark.kvcache.engine.Ledger;
import dev.kvstore.benchmark.kvcache.engine.PrefixCounts.ServedPrefix;
import dev.kvstore.benchmark.kvcache.engine.Served;
import dev.kvstore.benchmark.kvcache.engine.Slot;
import dev.kvstore.benchmark.kvcache.engine.TieredCache;
import dev.kvstore.benchmark.kvcache.tier.KvCacheMemoryTier;
import dev.kvstore.benchmark.kvcache.tier.NoiseContent;
import dev.kvstore.benchmark.kvcache.tier.Scratch;
import dev.kvstore.benchmark.kvcache.tier.TierPolicy;
import dev.kvstore.benchmark.kvcache.workload.RequestPhase;
import dev.kvstore.benchmark.kvcache.workload.User;
import dev.kvstore.benchmark.kvcache.workload.UserRequest;
import dev.kvstore.protocol.block.Partition;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Lookup, read, compute the rest, write. */
class BlockServingTest {
    private static final double NANOS = 1e9;
    private static final int BLOCK_TOKENS = 100;
    // 32 bytes a token.
    private static final Model MODEL = new Model("test", 1, 1, 8, 0, 2);
    private static final long BLOCK_BYTES = 3_200;
    private static final SystemPrompt PROMPT = SystemPrompt.USUAL.getFirst();

    private final AtomicReference<Ledger> ledger = new AtomicReference<>(new Ledger());
    private final AtomicLong time = new AtomicLong();
    private final Scratch memory = new Scratch();
    private double capacity = 1e9;

    private BlockServing serving(double tokensPerSecond) {
        TieredCache cache = new TieredCache(
                new TieredCache.TierSetup(
                        MODEL,
                        1,
                        List.of(new TieredCache.CountedTier(Slot.STORAGE, new KvCacheMemoryTier(new NoiseContent(1)))),
                        0,
                        true,
                        null,
                        Clock.systemUTC()),
                new TierPolicy(new double[] {capacity}, WorkloadConfig.usual().eviction()),
                ledger);
        return new BlockServing(
                new TieredBlocks(cache, BLOCK_TOKENS),
                Partition.of("test", BLOCK_TOKENS),
                250,
                new PrefillModel(tokensPerSecond),
                ledger,
                // Each look at the clock takes a second.
                () -> time.addAndGet((long) NANOS));
    }

    private static UserRequest request(String key, long history, long context, @Nullable SystemPrompt prompt) {
        User user = new User(0, context, 1, 1, QosClass.BATCH);
        return new UserRequest(
                0,
                0,
                user,
                context,
                1,
                RequestPhase.PREFILL_DECODE,
                key,
                1,
                null,
                prompt,
                0,
                history,
                prompt,
                List.of());
    }

    private ServedPrefix served(BlockServing serving, UserRequest request) throws IOException, InterruptedException {
        Served served = serving.serve(request, memory);
        return Objects.requireNonNull(served.prefix());
    }

    @Test
    void aPromptThatIsNewIsComputedAndWrittenInWholeBlocks() throws Exception {
        ServedPrefix served = served(serving(100), request("a", 0, 1_050, null));

        assertThat(served.foundBlocks()).isZero();
        assertThat(served.savedTokens()).isZero();
        assertThat(ledger.get().writtenBytes.sum()).isEqualTo(10 * BLOCK_BYTES);
    }

    @Test
    void ofALongerPromptOnlyTheRestIsComputedAndWritten() throws Exception {
        BlockServing serving = serving(100);
        serving.serve(request("a", 0, 1_050, null), memory);
        ServedPrefix served = served(serving, request("a", 1_050, 450, null));

        assertThat(served.blocks()).isEqualTo(15);
        assertThat(served.foundBlocks()).isEqualTo(10);
        assertThat(served.savedTokens()).isEqualTo(1_000);
        assertThat(ledger.get().readBytes.sum()).isEqualTo(10 * BLOCK_BYTES);
        assertThat(ledger.get().writtenBytes.sum()).isEqualTo(15 * BLOCK_BYTES);
    }

    @Test
    void aSharedPromptIsWrittenOnceAndReadByOthers() throws Exception {
        BlockServing serving = serving(100);
        serving.serve(request("a", 0, 50, PROMPT), memory);
        ServedPrefix served = served(serving, request("b", 0, 50, PROMPT));

        // 200 of 250 shared tokens are whole blocks.
        assertThat(served.savedTokens()).isEqualTo(200);
        assertThat(ledger.get().systemPromptHits.sum()).isEqualTo(2);
    }

    /** Blocks behind a hole cannot be used: their keys and values depend on all tokens before them. */
    @Test
    void whatIsBehindAnEvictedBlockIsComputedAgain() throws Exception {
        // Ten blocks fit.
        capacity = 10 * BLOCK_BYTES + 10;
        BlockServing serving = serving(100);
        serving.serve(request("a", 0, 1_000, null), memory);
        serving.serve(request("b", 0, 300, null), memory);
        ServedPrefix served = served(serving, request("a", 0, 1_000, null));

        assertThat(served.foundBlocks()).isZero();
    }

    @Test
    void theFirstTokenComesAfterLookupReadingAndComputingTheRest() throws Exception {
        BlockServing serving = serving(100);
        serving.serve(request("a", 0, 1_000, null), memory);
        ServedPrefix served = served(serving, request("a", 1_000, 250, null));

        // A second each for lookup and reading; 250 of 1,250 tokens at 100 a second.
        assertThat(served.firstTokenSeconds()).isCloseTo(2 + 2.5, within(1e-9));
        assertThat(served.withoutCacheSeconds()).isCloseTo(12.5, within(1e-9));
    }

    @Test
    void theRateOfAModelIsItsFlopsOverTwiceItsParameters() {
        assertThat(PrefillModel.of("llama3.1-8b").tokensPerSecond()).isCloseTo(30_803, within(1.0));
    }
}
