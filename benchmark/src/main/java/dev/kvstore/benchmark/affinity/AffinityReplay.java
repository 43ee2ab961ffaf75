package dev.kvstore.benchmark.affinity;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.kvstore.client.internal.routing.Affinity;
import dev.kvstore.protocol.block.BlockChain;
import dev.kvstore.protocol.block.BlockHash;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/**
 * The part of a trace's prompts that the memory of a fleet has, with the names that the JSON has. Each process keeps a
 * number of blocks, of which the least recently used leaves first; this model is simpler than a data plane's memory
 * tier. A prompt's blocks enter the memory of the process that its operations go to.
 *
 * @param source which trace
 * @param blocksPerProcess that a process keeps
 * @param affinityHits the part of all blocks that the SDK's choice finds, in one run from the first block of each
 *     prompt
 * @param randomHits the same where each request goes anywhere
 */
record AffinityReplay(
        String source,
        int processes,
        int blocksPerProcess,
        int requests,
        long blocks,
        double affinityHits,
        double randomHits) {
    /** How many times the hits of random routing there must be. */
    static final double BOUND = 3;

    static AffinityReplay measure(Prompts prompts, int processes, int blocksPerProcess, long seed) {
        Affinity affinity = new Affinity(new SplittableRandom(seed));
        SimulatedProcess.SimulatedLevel fleet = new SimulatedProcess.SimulatedLevel(processes);
        SplittableRandom random = new SplittableRandom(seed);
        return new AffinityReplay(
                prompts.source(),
                processes,
                blocksPerProcess,
                prompts.chains().size(),
                prompts.blocks(),
                hits(
                        prompts,
                        processes,
                        blocksPerProcess,
                        prompt -> fleet.pick(affinity.of(prompt)).number()),
                hits(prompts, processes, blocksPerProcess, _ -> random.nextInt(processes)));
    }

    @JsonProperty
    double timesRandom() {
        return affinityHits / randomHits;
    }

    boolean holds() {
        return timesRandom() >= BOUND;
    }

    private static double hits(Prompts prompts, int processes, int capacity, ToIntFunction<BlockChain> route) {
        List<ProcessBlocks> memories = Stream.generate(() -> new ProcessBlocks(capacity))
                .limit(processes)
                .toList();
        long hits = 0;
        for (BlockChain prompt : prompts.chains()) {
            hits += memories.get(route.applyAsInt(prompt)).serve(prompt);
        }
        return (double) hits / prompts.blocks();
    }

    /** The blocks of a process. */
    private static final class ProcessBlocks {
        private final Map<BlockHash, Boolean> blocks;

        ProcessBlocks(int capacity) {
            this.blocks = new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<BlockHash, Boolean> eldest) {
                    return size() > capacity;
                }
            };
        }

        /** Takes in a prompt's blocks; how many of its first were there. */
        int serve(BlockChain prompt) {
            int found = 0;
            while (found < prompt.size() && blocks.containsKey(prompt.hash(found))) {
                found++;
            }
            for (int i = 0; i < prompt.size(); i++) {
                blocks.merge(prompt.hash(i), true, (_, same) -> same);
            }
            return found;
        }
    }
}
