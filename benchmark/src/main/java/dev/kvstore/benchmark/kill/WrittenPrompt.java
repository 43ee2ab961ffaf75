package dev.kvstore.benchmark.kill;

import dev.kvstore.benchmark.measure.Prompt;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Location;
import dev.kvstore.protocol.block.Partition;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

/** A prompt that is or was being written, and what became of each of its blocks. Thread-safe. */
final class WrittenPrompt {
    private static final int HANDED_OVER = 1;
    private static final int ACKNOWLEDGED = 2;

    // The sizes of 20 blocks; most are small, so that there are many.
    private static final int[] SIZES = {
        512, 512, 512, 512, 512, 512, 512, 512, 4_096, 4_096, 4_096, 4_096, 4_096, 65_536, 65_536, 65_536, 65_536,
        300_000, 300_000, 1_200_000
    };

    private final Partition partition;
    private final BlockChain chain;
    private final AtomicIntegerArray states;

    WrittenPrompt(Prompt prompt) {
        this.partition = prompt.partition();
        this.chain = prompt.chain();
        this.states = new AtomicIntegerArray(chain.size());
    }

    /** Length of a block's buffer in bytes, 512 to 1,200,000; follows from its name, as its bytes do. */
    static int bytes(BlockHash block) {
        return SIZES[(int) Long.remainderUnsigned(block.a(), SIZES.length)];
    }

    Partition partition() {
        return partition;
    }

    BlockChain chain() {
        return chain;
    }

    void handedOver(int index) {
        states.set(index, HANDED_OVER);
    }

    void acknowledged(int index) {
        states.set(index, ACKNOWLEDGED);
    }

    boolean isAcknowledged(int index) {
        return states.get(index) == ACKNOWLEDGED;
    }

    /** The blocks that were written, or may have been, by their index. */
    List<Integer> begun() {
        return IntStream.range(0, states.length())
                .filter(i -> states.get(i) != 0)
                .boxed()
                .toList();
    }

    /** How many at the beginning of the prompt were acknowledged: what Lookup must count. */
    int acknowledgedPrefix() {
        return (int) IntStream.range(0, states.length())
                .takeWhile(this::isAcknowledged)
                .count();
    }

    Location location(int index) {
        return chain.location(index);
    }
}
