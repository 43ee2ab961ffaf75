package dev.kvstore.client.routing;

import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Location;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.random.RandomGenerator;

/**
 * The key that keeps operations on one conversation at one process when the caller names none: the name of the first
 * block of its own, behind the system prompt that it shares with others and that must not pin the fleet to one process.
 *
 * <p>Where prompts part is learnt from the prompts themselves. A block that {@value #BRANCHES} different ones have
 * followed is shared; the key is the name of the block behind the last such block. That block is there from the first
 * turn on, or from the second if the first adds no whole block to what is shared; a prompt that is shared as a whole
 * goes anywhere, since it is in use everywhere. While nothing is known to be shared, the eighth block is the key, or the
 * last if there are fewer: at 128 tokens a block that is 1024 tokens in, behind most system prompts.
 *
 * <p>Clients learn alike from like traffic, but each for itself; who wants to be sure names the conversation.
 *
 * <p>Takes 1 MiB and never more. Thread-safe: what threads write over each other is only learnt later.
 */
public final class Affinity {
    /**
     * How many blocks must have followed one for it to be shared. Fewer, and the turns of a single conversation that are
     * edited, repeated or cut in the middle of a block pass for many: over the FAST'25 conversation trace 2 gives a
     * third of the hits of 8, 16 gives 1 % more and learns half as fast.
     */
    static final int BRANCHES = 8;

    /** Blocks of a prompt that are looked at: 32,768 tokens at 128 each, longer than system prompts are. */
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

    /** The key of a prompt, of which the chain may be a prefix; learns from it. */
    public long of(BlockChain chain) {
        BlockChain prompt = chain.whole();
        int size = prompt.size();
        if (size == 0) {
            return of(prompt.root());
        }
        int own = 0;
        int seen = Math.min(size, HORIZON);
        long parent = prompt.root().a();
        for (int i = 0; i < seen; i++) {
            long block = prompt.hash(i).a();
            if (follows(parent, block)) {
                own = i + 1;
            }
            parent = block;
        }
        if (shared(parent)) {
            return size > seen ? prompt.hash(seen).a() : random.nextLong();
        }
        return prompt.hash(own > 0 ? own - 1 : Math.min(size - 1, GUESS)).a();
    }

    /** The key of blocks of which nothing else is known. */
    public long of(List<Location> locations) {
        return locations.isEmpty()
                ? 0
                : of(locations.get(Math.min(locations.size() - 1, GUESS)).hash());
    }

    /** The key of a block alone. */
    public long of(BlockHash hash) {
        return hash.a();
    }

    /** Takes note that one block follows another; whether many different ones do. */
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
        if (table.get(victim + 1) == SHARED) { // stays while anything else can go
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
