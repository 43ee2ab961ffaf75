package dev.kvstore.client.internal.routing;

import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Location;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.random.RandomGenerator;

/**
 * Finds the key that keeps the operations of a conversation at one data plane, if the caller names no affinity. The key
 * is the hash of the conversation's first own block, behind the system prompt. The system prompt is shared with other
 * conversations, so as a key it would send all of them to one data plane.
 *
 * <p>The affinity learns from the prompts where they part. A block that was followed by {@value #BRANCHES} different
 * blocks is shared; the key is the block behind the last shared one. A conversation has this block from its first turn
 * on, or from the second if the first adds no whole block. A prompt whose blocks are all shared goes anywhere, since it
 * is in use everywhere. While no block is known to be shared, the eighth block is the key, or the last of fewer: at 128
 * tokens a block that is behind 1,024 tokens, and so behind most system prompts.
 *
 * <p>Each client learns for itself; clients with similar traffic learn the same. To be sure, name the conversation.
 *
 * <p>The table takes 1 MiB of heap. Thread-safe: if two threads overwrite each other, a block is only learnt later.
 */
public final class Affinity {
    /**
     * The number of different followers that make a block count as shared. With fewer, turns of a single conversation
     * that are edited, repeated or cut in the middle of a block would look like many conversations: on the FAST'25
     * conversation trace 2 gives a third of the hits of 8; 16 gives 1 % more, and learns half as fast.
     */
    static final int BRANCHES = 8;

    /** The most blocks of a prompt that are read: 32,768 tokens at 128 each, longer than system prompts are. */
    static final int HORIZON = 256;

    private static final int GUESS = 7;
    private static final int SETS = 1 << 15;
    private static final int WAYS = 2;
    private static final int WORDS = 2;
    private static final long SHARED = -1;

    /** Sets of two entries: a block's name (its first 64 bits) and a bit for each kind of block that followed it. */
    private final AtomicLongArray table = new AtomicLongArray(SETS * WAYS * WORDS);

    private final RandomGenerator random;

    /** @param random for prompts that may go anywhere; thread-safe */
    public Affinity(RandomGenerator random) {
        this.random = random;
    }

    /** The key of a prompt, of which the chain may be a prefix. Learns from the prompt. */
    public long of(BlockChain chain) {
        BlockChain blockChain = chain.whole();
        int size = blockChain.size();
        if (size == 0) {
            return of(blockChain.root());
        }
        int own = 0;
        int seen = Math.min(size, HORIZON);
        long parent = blockChain.root().a();
        for (int i = 0; i < seen; i++) {
            long block = blockChain.hash(i).a();
            if (follows(parent, block)) {
                own = i + 1;
            }
            parent = block;
        }
        if (shared(parent)) {
            return size > seen ? blockChain.hash(seen).a() : random.nextLong();
        }
        return blockChain.hash(own > 0 ? own - 1 : Math.min(size - 1, GUESS)).a();
    }

    /** The key of blocks whose prompt is not known. */
    public long of(List<Location> locations) {
        return locations.isEmpty()
                ? 0
                : of(locations.get(Math.min(locations.size() - 1, GUESS)).hash());
    }

    /** The key of a single block. */
    public long of(BlockHash hash) {
        return hash.a();
    }

    /** Learns that one block follows another. Returns whether the first one is shared. */
    private boolean follows(long parent, long block) {
        int set = set(parent);
        int victim = set + (int) (parent >>> 62 & 1) * WORDS;
        for (int way = 0; way < WAYS; way++) {
            int at = set + way * WORDS;
            if (table.get(at) == parent) {
                long kinds = table.get(at + 1);
                if (kinds == SHARED) {
                    return true;
                }
                long now = kinds | 1L << (block >>> 58);
                if (now != kinds) {
                    table.set(at + 1, Long.bitCount(now) >= BRANCHES ? SHARED : now);
                }
                return Long.bitCount(now) >= BRANCHES;
            }
        }
        if (table.get(victim + 1) == SHARED) { // a shared block stays while any other can go
            victim = set + (victim == set ? WORDS : 0);
        }
        table.set(victim + 1, 0);
        table.set(victim, parent);
        table.set(victim + 1, 1L << (block >>> 58));
        return false;
    }

    private boolean shared(long block) {
        int set = set(block);
        for (int way = 0; way < WAYS; way++) {
            if (table.get(set + way * WORDS) == block) {
                return table.get(set + way * WORDS + 1) == SHARED;
            }
        }
        return false;
    }

    private static int set(long block) {
        return (int) (block & (SETS - 1)) * WAYS * WORDS;
    }
}
