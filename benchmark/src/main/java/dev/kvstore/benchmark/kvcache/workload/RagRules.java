package dev.kvstore.benchmark.kvcache.workload;

/**
 * Documents that requests look things up in, and how often: {@code rag} in the config file.
 *
 * @param chunkTokens of a document's parts; its last one may be shorter
 * @param topChunks parts that one look into a document finds
 * @param maxChunkBytes a part that would have more is made of fewer tokens
 * @param probability of a request to look into a document
 * @param retrieval which parts are found
 * @param maxDocuments beyond it the oldest document is deleted; 0 for any number
 * @param large tokens of a document for large models
 * @param small tokens of a document for the others
 */
public record RagRules(
        int chunkTokens,
        int topChunks,
        long maxChunkBytes,
        double probability,
        Retrieval retrieval,
        int maxDocuments,
        Range large,
        Range small) {
    /** The rules of the original. */
    public static final RagRules USUAL = new RagRules(
            512, 5, 256L << 20, 0.1, Retrieval.ZIPFIAN, 0, new Range(1_024, 4_096), new Range(4_000, 12_000));

    /** Both ends are in it. */
    public record Range(long least, long most) {}

    /** The parts of a document that a question finds. */
    public enum Retrieval {
        /** The first parts more often: part n in proportion to 1/n. */
        ZIPFIAN,
        /** All equally often. */
        UNIFORM
    }
}
