package dev.kvstore.benchmark.sweep;

import dev.kvstore.benchmark.measure.StoredPrompts;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * The turns of the blocks of a stock: one after the other, so that a block is asked for again only after all others
 * were. Several processes take every so manieth. Thread-safe.
 */
final class Turns {
    // A prime, so that it is not always the same blocks of a stock whose size it does not divide.
    private static final int COMPARED = 61;

    private final List<BlockChain> chains;
    private final int promptBlocks;
    private final int process;
    private final int processes;
    private final AtomicLong reads = new AtomicLong();
    private final AtomicLong prompts = new AtomicLong();
    private final AtomicIntegerArray seen;

    /** @param process which of the processes has these turns, from 0 */
    Turns(StoredPrompts stock, int process, int processes) {
        this.chains = stock.chains();
        this.promptBlocks = stock.promptBlocks();
        this.process = process;
        this.processes = processes;
        this.seen = new AtomicIntegerArray(stock.blocks());
    }

    /**
     * A block to be read.
     *
     * @param index in the prompt
     * @param compared whether byte for byte: each block when it is read for the first time, and each 61st read
     */
    record ReadTurn(BlockChain prompt, int index, boolean compared) {
        BlockHash hash() {
            return prompt.hash(index);
        }
    }

    /**
     * From the first block again: of a stock that was just read from end to end, memory holds the last ones, and none
     * of them has its turn before the others have taken its place.
     */
    void restart() {
        reads.set(0);
        prompts.set(0);
    }

    ReadTurn nextRead() {
        long turn = reads.getAndIncrement();
        return read(of(turn, seen.length()), turn);
    }

    /** All blocks of a prompt, in its order. */
    List<ReadTurn> nextPrompt() {
        int first = of(prompts.getAndIncrement(), chains.size()) * promptBlocks;
        long turn = reads.getAndAdd(promptBlocks);
        return IntStream.range(0, promptBlocks)
                .mapToObj(index -> read(first + index, turn + index))
                .toList();
    }

    private ReadTurn read(int block, long turn) {
        boolean first = seen.getAndSet(block, 1) == 0;
        return new ReadTurn(chains.get(block / promptBlocks), block % promptBlocks, first || turn % COMPARED == 0);
    }

    BlockChain nextLookup() {
        return chains.get(of(prompts.getAndIncrement(), chains.size()));
    }

    private int of(long turn, int all) {
        return (int) ((turn * processes + process) % all);
    }
}
