package dev.kvstore.benchmark.sweep;

import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import dev.kvstore.protocol.block.Location;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Whose turn it is among the blocks of a stock: one after the other, so that a block is asked for again only after all
 * others were. Thread-safe.
 */
final class Turns {
    // A prime, so that it is not always the same blocks of a stock whose size it does not divide.
    private static final int COMPARED = 61;

    private final List<BlockChain> chains;
    private final int blocks;
    private final long first;
    private final AtomicLong reads;
    private final AtomicLong lookups;

    /**
     * Turns of one of several processes, each of which begins elsewhere.
     *
     * @param process from 0
     */
    Turns(Stock stock, int process, int processes) {
        this.chains = stock.chains();
        this.blocks = stock.blocks();
        this.first = (long) blocks * process / processes;
        this.reads = new AtomicLong(first);
        this.lookups = new AtomicLong(first / Stock.PROMPT_BLOCKS);
    }

    /**
     * A block to be read.
     *
     * @param compared whether byte for byte: each block when it is read for the first time, and each 61st read
     */
    record Turn(Location location, BlockHash hash, boolean compared) {}

    Turn nextRead() {
        long turn = reads.getAndIncrement();
        int block = (int) (turn % blocks);
        BlockChain chain = chains.get(block / Stock.PROMPT_BLOCKS);
        int index = block % Stock.PROMPT_BLOCKS;
        boolean compared = turn - first < blocks || turn % COMPARED == 0;
        return new Turn(chain.location(index), chain.hash(index), compared);
    }

    BlockChain nextLookup() {
        return chains.get((int) (lookups.getAndIncrement() % chains.size()));
    }
}
