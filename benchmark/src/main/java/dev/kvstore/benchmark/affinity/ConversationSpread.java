package dev.kvstore.benchmark.affinity;

import dev.kvstore.client.internal.routing.Affinity;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.Partition;
import dev.kvstore.protocol.block.Tokens;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Where conversations go that share a system prompt, with the names that the JSON has.
 *
 * @param systemBlocks blocks of 128 tokens that all of them begin with
 * @param mostOverEven the share of the fullest process over the even share
 * @param movedWhenOneDies the part of conversations that go elsewhere then
 * @param shareOfTheDead the part that was there
 */
record ConversationSpread(
        int systemBlocks,
        int conversations,
        int processes,
        double mostOverEven,
        double movedWhenOneDies,
        double shareOfTheDead) {
    /** The most that one process may have over an even share. */
    static final double BOUND = 1.25;

    private static final Partition PARTITION = Partition.of("affinity");
    private static final int OWN_BLOCKS = 2;

    static ConversationSpread measure(int systemBlocks, int conversations, int processes, long seed) {
        Affinity affinity = new Affinity(new SplittableRandom(seed));
        SimulatedProcess.SimulatedLevel fleet = new SimulatedProcess.SimulatedLevel(processes);
        long[] keys = new long[conversations];
        SimulatedProcess[] before = new SimulatedProcess[conversations];
        int[] counts = new int[processes];
        for (int i = 0; i < conversations; i++) {
            keys[i] = affinity.of(prompt(systemBlocks, i));
            before[i] = fleet.pick(keys[i]);
            counts[before[i].number()]++;
        }
        SimulatedProcess dead = before[0];
        dead.health().failed(0, 0, true);
        int moved = 0;
        for (int i = 0; i < conversations; i++) {
            moved += fleet.pick(keys[i]) == before[i] ? 0 : 1;
        }
        int most = IntStream.of(counts).max().orElseThrow();
        return new ConversationSpread(
                systemBlocks,
                conversations,
                processes,
                (double) most * processes / conversations,
                (double) moved / conversations,
                (double) counts[dead.number()] / conversations);
    }

    boolean holds() {
        return mostOverEven <= BOUND && movedWhenOneDies == shareOfTheDead;
    }

    private static BlockChain prompt(int systemBlocks, int conversation) {
        int size = PARTITION.blockTokens();
        IntStream system = IntStream.range(0, systemBlocks * size);
        IntStream own = new SplittableRandom(conversation).ints((long) OWN_BLOCKS * size);
        return BlockChain.of(PARTITION, Tokens.of(IntStream.concat(system, own).toArray()));
    }
}
