package dev.kvstore.benchmark.kvcache.block;

import dev.kvstore.benchmark.kvcache.config.SystemPrompt;
import dev.kvstore.benchmark.kvcache.tier.EntryBytes;
import dev.kvstore.benchmark.kvcache.tier.NoiseContent;
import dev.kvstore.benchmark.kvcache.workload.UserRequest;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;

/**
 * The whole prompt of a request: the shared prompt that its conversation began with, all that was said before, and its
 * own context. Its token ids follow from the names of shared prompt and conversation, so that equal beginnings have
 * equal blocks.
 */
public final class BlockPrompt {
    private static final int VOCABULARY = 200_000;
    // SplitMix64: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
    private static final long GAMMA = 0x9E3779B97F4A7C15L;
    private static final long MIX_1 = 0xBF58476D1CE4E5B9L;
    private static final long MIX_2 = 0x94D049BB133111EBL;

    private final Partition partition;
    private final int[] ids;
    private final BlockChain chain;
    private final int sharedTokens;

    private BlockPrompt(Partition partition, int[] ids, int sharedTokens) {
        this.partition = partition;
        this.ids = ids;
        this.sharedTokens = sharedTokens;
        this.chain = BlockChain.of(partition, Tokens.slice(ids, 0, ids.length));
    }

    /**
     * The prompt of a request.
     *
     * @param sharedTokens length of each shared prompt, 0 or more
     */
    public static BlockPrompt of(UserRequest request, Partition partition, int sharedTokens) {
        SystemPrompt prompt = request.firstPrompt();
        int shared = prompt == null ? 0 : sharedTokens;
        int own = Math.toIntExact(request.historyTokens() + request.contextTokens());
        int[] ids = new int[shared + own];
        if (prompt != null) {
            fill(ids, 0, shared, NoiseContent.seed(prompt.key()));
        }
        fill(ids, shared, own, NoiseContent.seed(request.stream()));
        return new BlockPrompt(partition, ids, shared);
    }

    private static void fill(int[] ids, int from, int number, long seed) {
        for (int i = 0; i < number; i++) {
            long z = seed + (i + 1) * GAMMA;
            z = (z ^ (z >>> 30)) * MIX_1;
            z = (z ^ (z >>> 27)) * MIX_2;
            ids[from + i] = (int) Long.remainderUnsigned(z ^ (z >>> 31), VOCABULARY);
        }
    }

    /** All of them, those beyond the last whole block too. */
    public int tokens() {
        return ids.length;
    }

    /** The names of the whole blocks. */
    public BlockChain chain() {
        return chain;
    }

    int blocks() {
        return chain.size();
    }

    Tokens tokens(int block) {
        return Tokens.slice(ids, block * partition.blockTokens(), partition.blockTokens());
    }

    /** Whether a block begins in the shared prompt. */
    boolean isShared(int block) {
        return block * partition.blockTokens() < sharedTokens;
    }

    /** A block's name as an entry of tiers. */
    String key(int block) {
        return chain.hash(block).hex();
    }

    /** A block's bytes, which follow from its name. */
    EntryBytes blob(int block, long bytes) {
        BlockHash hash = chain.hash(block);
        return new EntryBytes(hash.a(), hash.b() ^ hash.c() ^ hash.d(), bytes);
    }
}
