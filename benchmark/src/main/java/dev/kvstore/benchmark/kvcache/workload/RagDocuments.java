package dev.kvstore.benchmark.kvcache.workload;

import dev.kvstore.benchmark.kvcache.config.Model;
import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.RagRules;
import java.util.ArrayList;
import java.util.List;

/** The documents of a run, each cut into parts that are entries. Immutable. */
public final class RagDocuments {
    private static final int PURPOSE = 4;
    private static final int LARGE_LAYERS = 64;
    private static final int LEAST_ANSWER = 50;
    private static final int MOST_ANSWER = 200;

    private final RagRules rules;
    private final List<RagDocument> all;

    /** A document and its parts in their order. */
    public record RagDocument(String name, List<Chunk> chunks) {
        public RagDocument {
            chunks = List.copyOf(chunks);
        }
    }

    /** A part of a document: an entry. */
    public record Chunk(String key, long tokens) {}

    private RagDocuments(RagRules rules, List<RagDocument> all) {
        this.rules = rules;
        this.all = List.copyOf(all);
    }

    /** A number of documents of random lengths. */
    public static RagDocuments of(int number, RagRules rules, Model model, long seed) {
        boolean large = model.layers() >= LARGE_LAYERS;
        long least = large ? rules.largeModelDocTokensMin() : rules.smallModelDocTokensMin();
        long longest = large ? rules.largeModelDocTokensMax() : rules.smallModelDocTokensMax();
        long most = Math.max(1, rules.maxChunkBytes() / Math.max(1, model.bytesPerToken()));
        long chunk = Math.min(rules.chunkSizeTokens(), most);
        Draws lengths = Draws.of(seed, 0, PURPOSE);
        List<RagDocument> all = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            String name = "doc_%04d".formatted(i);
            all.add(new RagDocument(name, chunks(name, lengths.between(least, longest), chunk)));
        }
        return new RagDocuments(rules, all);
    }

    private static List<Chunk> chunks(String document, long tokens, long each) {
        List<Chunk> chunks = new ArrayList<>();
        for (long from = 0; from < tokens; from += each) {
            chunks.add(new Chunk("rag_" + document + "_chunk_" + chunks.size(), Math.min(each, tokens - from)));
        }
        return chunks;
    }

    /** All that are written, the oldest first. */
    public List<RagDocument> all() {
        return all;
    }

    /** The documents that are deleted again, since too many came after them. */
    public List<RagDocument> pushedOut() {
        return all.subList(0, all.size() - kept().size());
    }

    private List<RagDocument> kept() {
        int most = rules.maxDocuments() > 0 ? Math.min(rules.maxDocuments(), all.size()) : all.size();
        return all.subList(all.size() - most, all.size());
    }

    /** Whether a request looks into a document. */
    boolean isAsked(Draws draws) {
        return !all.isEmpty() && draws.real() < rules.requestProbability();
    }

    /** Tokens of an answer from a document. */
    static long answer(Draws draws) {
        return draws.between(LEAST_ANSWER, MOST_ANSWER);
    }

    RagDocument choose(Draws draws) {
        return draws.choice(kept());
    }

    /** The parts that one look into a document finds, each once, in the order of their relevance. */
    List<Chunk> retrieve(RagDocument document, Draws draws) {
        List<Integer> left = new ArrayList<>();
        for (int i = 0; i < document.chunks().size(); i++) {
            left.add(i);
        }
        List<Chunk> found = new ArrayList<>();
        while (found.size() < rules.topKChunks() && !left.isEmpty()) {
            found.add(document.chunks().get(left.remove(place(left, draws))));
        }
        return found;
    }

    private int place(List<Integer> left, Draws draws) {
        double sum = left.stream().mapToDouble(this::weight).sum();
        double drawn = draws.real() * sum;
        for (int i = 0; i < left.size() - 1; i++) {
            drawn -= weight(left.get(i));
            if (drawn < 0) {
                return i;
            }
        }
        return left.size() - 1;
    }

    private double weight(int chunk) {
        return rules.retrievalDistribution().equals("zipfian") ? 1.0 / (chunk + 1) : 1;
    }
}
