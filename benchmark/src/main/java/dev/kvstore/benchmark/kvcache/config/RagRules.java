package dev.kvstore.benchmark.kvcache.config;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * Documents that requests look things up in, and how often.
 *
 * @param chunkSizeTokens of a document's parts; its last one may be shorter
 * @param topKChunks parts that one look into a document finds
 * @param maxChunkBytes a part that would have more is made of fewer tokens
 * @param maxDocuments beyond it the oldest document is deleted; 0 for any number
 * @param requestProbability of a request to look into a document
 * @param retrievalDistribution of the parts that are found: {@code zipfian}, part n in proportion to 1/n, or
 *     {@code uniform} or {@code random}, all equally often
 */
public record RagRules(
        int chunkSizeTokens,
        @JsonProperty("top_k_chunks") int topKChunks,
        long maxChunkBytes,
        int maxDocuments,
        double requestProbability,
        String retrievalDistribution,
        long largeModelDocTokensMin,
        long largeModelDocTokensMax,
        long smallModelDocTokensMin,
        long smallModelDocTokensMax) {
    private static final long MOST_TOKENS = 10_000_000;

    public RagRules {
        if (!List.of("zipfian", "uniform", "random").contains(retrievalDistribution)) {
            throw new IllegalArgumentException(
                    "retrieval_distribution must be zipfian, uniform or random, not " + retrievalDistribution);
        }
        requireRange("large", largeModelDocTokensMin, largeModelDocTokensMax);
        requireRange("small", smallModelDocTokensMin, smallModelDocTokensMax);
    }

    private static void requireRange(String size, long least, long most) {
        if (most < least || most > MOST_TOKENS) {
            throw new IllegalArgumentException(
                    "%s_model_doc_tokens_max must be _min to %d, not %d".formatted(size, MOST_TOKENS, most));
        }
    }

    /** Whether the first parts are found more often. */
    public boolean isZipfian() {
        return retrievalDistribution.equals("zipfian");
    }
}
