package dev.kvstore.benchmark.kvcache.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvstore.benchmark.kvcache.config.QosClass;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig;
import dev.kvstore.benchmark.kvcache.tier.NullTier;
import dev.kvstore.benchmark.kvcache.tier.Scratch;
import dev.kvstore.benchmark.kvcache.tier.TierPolicy;
import dev.kvstore.benchmark.kvcache.workload.RagDocuments.Chunk;
import dev.kvstore.benchmark.kvcache.workload.RequestPhase;
import dev.kvstore.benchmark.kvcache.workload.User;
import dev.kvstore.benchmark.kvcache.workload.UserRequest;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A question about a document: what it reads and writes. */
class ChunkServingTest {
    private static final List<Chunk> CHUNKS =
            List.of(new Chunk("rag_doc_chunk_0", 10), new Chunk("rag_doc_chunk_1", 20));

    /** 64 tokens are two batches. */
    private static final UserRequest QUESTION = new UserRequest(
            0,
            0,
            new User(0, 30, 64, 1, QosClass.BATCH),
            30,
            64,
            RequestPhase.DECODE,
            "rag_doc",
            1,
            null,
            null,
            0,
            0,
            null,
            CHUNKS);

    private final AtomicReference<Ledger> ledger = new AtomicReference<>(new Ledger());
    private final Scratch memory = new Scratch();

    private TieredCache cache(boolean honest) {
        return new TieredCache(
                new TieredCache.TierSetup(
                        Trial.MODEL,
                        1,
                        List.of(new TieredCache.CountedTier(Slot.STORAGE, new NullTier())),
                        0,
                        honest,
                        null,
                        Clock.systemUTC()),
                new TierPolicy(
                        new double[] {Double.POSITIVE_INFINITY},
                        WorkloadConfig.usual().eviction()),
                ledger);
    }

    private RequestServing serving(boolean honest, TieredCache cache) {
        RunPlan plan = new RunPlan(
                1,
                honest,
                false,
                RunPlan.RequestPart.BOTH,
                Duration.ZERO,
                Duration.ofSeconds(1),
                Duration.ZERO,
                0,
                0,
                10,
                WorkloadConfig.usual());
        return new RequestServing(plan, Trial.MODEL, cache, ledger, List.of());
    }

    @Test
    void chunksThatAreMissingAreWrittenAndFoundTheNextTime() throws Exception {
        TieredCache cache = cache(true);
        RequestServing serving = serving(true, cache);
        serving.serve(QUESTION, memory);
        assertThat(ledger.get().chunkMisses.sum()).isEqualTo(2);

        serving.serve(QUESTION, memory);
        assertThat(ledger.get().chunkHits.sum()).isEqualTo(2);
        assertThat(cache.contains("rag_doc")).isFalse();
    }

    @Test
    void theAnswerReadsAllChunksForEachBatchOfItsTokens() throws Exception {
        RequestServing serving = serving(true, cache(true));
        serving.serve(QUESTION, memory);
        ledger.set(new Ledger());
        serving.serve(QUESTION, memory);

        assertThat(ledger.get().decodeReads.sum()).isEqualTo(2 + 2 * 2);
    }

    @Test
    void asTheOriginalChunksStayMissingAndAnEntryOfTheDocumentIsWritten() throws Exception {
        TieredCache cache = cache(false);
        RequestServing serving = serving(false, cache);
        serving.serve(QUESTION, memory);
        serving.serve(QUESTION, memory);

        assertThat(ledger.get().chunkMisses.sum()).isEqualTo(4);
        assertThat(cache.contains("rag_doc")).isTrue();
    }
}
