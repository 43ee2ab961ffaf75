package dev.kvstore.benchmark.peers.load;

import dev.kvstore.benchmark.measure.Payload;
import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Partition;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The blocks that are read, the same bytes from every peer: prompts of equally many blocks, asked for in turn, so many
 * that no CPU's cache holds them (but for small blocks) and so few that any memory does. Immutable, thread-safe.
 *
 * @param blockBytes length of each block
 * @param prompts whose blocks have the bytes that follow from their names
 * @param damage of the block in the middle, as it is stored
 */
public record WorkingSet(int blockBytes, List<Prompt> prompts, Damage damage) {
    public static final int MIN_BLOCK_BYTES = 512;
    public static final int MAX_BLOCK_BYTES = 16 << 20;

    /** Where KV Store keeps them. */
    public static final Partition PARTITION = Partition.of("peers");

    /** The partition in KV Store for blocks that measure writing. */
    public static final Partition WRITTEN = Partition.of("peers/written");

    private static final int PROMPTS = 4;
    private static final int PROMPT_BYTES = 38_400_000;
    private static final int LEAST_BLOCKS = 4;
    private static final int MOST_BLOCKS = 1_000;

    public WorkingSet {
        prompts = List.copyOf(prompts);
    }

    /** 4 prompts of as many blocks as make 38.4 MB, at least 4 and at most 1,000. */
    public static WorkingSet of(int blockBytes, Damage damage) {
        int blocks = Math.clamp(PROMPT_BYTES / blockBytes, LEAST_BLOCKS, MOST_BLOCKS);
        return new WorkingSet(
                blockBytes,
                LongStream.range(0, PROMPTS)
                        .mapToObj(number -> Prompt.of(PARTITION, number, blocks))
                        .toList(),
                damage);
    }

    public int blocksPerPrompt() {
        return prompts.getFirst().chain().size();
    }

    public int blocks() {
        return prompts.size() * blocksPerPrompt();
    }

    /** The prompt that a block is of. */
    public Prompt prompt(int block) {
        return prompts.get(block / blocksPerPrompt());
    }

    /** The place of a block in its prompt, from 0. */
    public int index(int block) {
        return block % blocksPerPrompt();
    }

    public BlockHash hash(int block) {
        return prompt(block).chain().hash(index(block));
    }

    /** Whether a block is to be stored at all. */
    public boolean isStored(int block) {
        return damage != Damage.LOST || block != blocks() / 2;
    }

    /** The bytes that are to be stored, {@code blockBytes} from the target's position, which stays. */
    public void fill(int block, ByteBuffer target) {
        Payload.fill(hash(block), target.slice(target.position(), blockBytes));
        if (damage == Damage.CORRUPTED && block == blocks() / 2) {
            int last = target.position() + blockBytes - 1;
            target.put(last, (byte) (target.get(last) ^ 1));
        }
    }

    /** @throws BadBlockException if this is not how long a block is */
    void verifyLength(int block, long length) {
        if (length != blockBytes) {
            throw new BadBlockException("block " + block + " has " + length + " bytes");
        }
    }

    /**
     * Compares the bytes that were read for a block.
     *
     * @throws BadBlockException if these are not the bytes of the block
     */
    public void verify(int block, List<ByteBuffer> pieces) {
        long different = Payload.firstDifference(hash(block), blockBytes, pieces);
        if (different >= 0) {
            throw new BadBlockException("block " + block + " is not what was written: it differs at byte " + different);
        }
    }
}
