package dev.kvstore.benchmark.python;

import java.time.Duration;
import java.util.List;

/**
 * The options of {@code kv bench python}.
 *
 * @param peers in the order in which they take turns
 * @param rounds measurements of each
 * @param time length of each measurement
 * @param warmUp length of the reads of each before anything is measured
 */
record PythonOptions(List<PythonPeer> peers, int rounds, Duration time, Duration warmUp) {
    /** Bytes of a block: 128 tokens of a model with 9.4 KB a token. */
    static final int BLOCK_BYTES = 1_200_000;

    /**
     * Four prompts of 32 blocks, 154 MB, read in turn: more than a processor's cache holds, and so many that the agent,
     * which has room for two, never has the next one.
     */
    static final int BATCHES = 4;

    static final int BLOCKS_PER_BATCH = 32;

    /** Most batches of one measurement of writing, 230 MB, which the storage has to hold. */
    static final int MOST_WRITTEN = 6;

    PythonOptions {
        peers = List.copyOf(peers);
    }
}
