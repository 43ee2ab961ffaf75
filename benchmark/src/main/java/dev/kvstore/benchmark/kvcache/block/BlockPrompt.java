package dev.kvstore.benchmark.kvcache.block;

import dev.kvstore.benchmark.kvcache.config.WorkloadConfig.SystemPrompt;
import dev.kvstore.benchmark.kvcache.tier.EntryBytes;
import dev.kvstore.benchmark.kvcache.tier.NoiseContent;
import dev.kvstore.benchmark.kvcache.workload.UserRequest;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import java.util.SplittableRandom;

/**
 * The whole prompt of a request: the shared prompt that its conversation began with, all that was said before, and its
 * own context. Its token ids follow from the names of shared prompt and conversation, so that equal beginnings have
 * equal blocks.
 */
public final class BlockPrompt {
    private static final int VOCABULARY = 200_000;

    private final int blockTokens;
    private final int[] ids;
    private final int sharedTokens;
    private final BlockChain chain;

    private BlockPrompt(Partition partition, int[] ids, int sharedTokens) {
        this.blockTokens = partition.blockTokens();
        this.ids = ids;
        this.sharedTokens = sharedTokens;
        this.chain = BlockChain.of(partition, Tokens.slice(ids, 0, ids.length));
    }

    /**
     * The prompt of a request.
     *
     * @param sharedTokens length of each shared prompt, 0 or more
     */
    static BlockPrompt of(UserRequest request, Partition partition, int sharedTokens) {
        SystemPrompt prompt = request.firstPrompt();
        int shared = prompt == null ? 0 : sharedTokens;
        int[] ids = new int[shared + Math.toIntExact(request.historyTokens() + request.contextTokens())];
        SplittableRandom common = new SplittableRandom(prompt == null ? 0 : NoiseContent.seed(prompt.key()));
        SplittableRandom own = new SplittableRandom(NoiseContent.seed(request.stream()));
        for (int i = 0; i < ids.length; i++) {
            ids[i] = (i < shared ? common : own).nextInt(VOCABULARY);
        }
        return new BlockPrompt(partition, ids, shared);
    }

    /** All of them, those beyond the last whole block too. */
    int tokens() {
        return ids.length;
    }

    /** The names of the whole blocks. */
    BlockChain chain() {
        return chain;
    }

    int blocks() {
        return chain.size();
    }

    Tokens tokens(int block) {
        return Tokens.slice(ids, block * blockTokens, blockTokens);
    }

    /** Whether a block begins in the shared prompt. */
    boolean isShared(int block) {
        return block * blockTokens < sharedTokens;
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
